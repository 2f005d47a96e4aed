// The users of a group, with links to their pages.

import { defaultGroup } from "@contract/access-groups.ts";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Failed } from "#shell/LoadState.tsx";
import { TextLink } from "#shell/links.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { accessGroupsWords } from "#words/access-groups.ts";
import { useWords } from "#words/language.ts";
import css from "./access-groups.module.css";
import { type Members, membersQuery } from "./groups.ts";

export function MembersPart({ id }: { id: string }) {
  const words = useWords(accessGroupsWords);
  const heading = useId();
  const members = useQuery(membersQuery(id));
  return (
    <Slab as="section" aria-labelledby={heading} className={css.slab}>
      <div>
        <h2 id={heading} className={css.heading}>
          {words.membersTitle}
        </h2>
        <p className={css.text}>{id === defaultGroup ? words.membersOfDefault : words.membersText}</p>
      </div>
      {members.data ? (
        <MemberList members={members.data} label={words.membersTitle} />
      ) : members.isError ? (
        <Failed error={members.error} onRetry={() => void members.refetch()} />
      ) : (
        <Skeleton height="3rem" />
      )}
    </Slab>
  );
}

function MemberList({ members: { shown, total }, label }: { members: Members; label: string }) {
  const words = useWords(accessGroupsWords);
  if (total === 0) return <p className={css.quiet}>{words.membersNone}</p>;
  return (
    <>
      <ul className={css.members} aria-label={label}>
        {shown.map(({ id, name, email }) => (
          <li key={id}>
            <TextLink to="/admin/users/$id" params={{ id }} className={css.name}>
              {name || email || id}
            </TextLink>
            {name && email && <span className={css.quiet}>{email}</span>}
          </li>
        ))}
      </ul>
      {total > shown.length && <p className={css.quiet}>{words.membersMore(total - shown.length)}</p>}
    </>
  );
}
