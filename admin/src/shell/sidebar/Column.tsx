// What stands in the sidebar, top to bottom.

import type { AdminStart } from "@contract/admin.ts";
import { useLocation } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type ReactNode, useId } from "react";
import { canIn, useStart } from "#session/start.ts";
import { TextLink } from "#shell/links.tsx";
import { type Entry, entriesFor, groups, pathOf } from "#shell/navigation.ts";
import { isPaletteOpen } from "#shell/overlays.ts";
import { Icon } from "#ui/Icon.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Mark } from "#ui/Mark.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { CollectionList } from "./CollectionList.tsx";
import styles from "./Column.module.css";
import { isAt } from "./is-at.ts";
import { UserMenu } from "./UserMenu.tsx";

export function Column() {
  const words = useWords(shellWords);
  const start = useStart();
  const entries = entriesFor(canIn(start), start);
  const own = (wanted: Entry["group"]) => entries.filter(({ group }) => group === wanted);
  return (
    <>
      <div className={styles.head}>
        <div className={styles.brand}>
          <Mark size={24} className={styles.mark} />
          <span className={styles.site}>{start.site.name}</span>
        </div>
        <button
          type="button"
          className={styles.search}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K"
          onClick={() => isPaletteOpen.set(true)}
        >
          <Icon of={Search} />
          <span>{words.search}</span>
          <span aria-hidden="true">
            <Kbd keys="Ctrl+K" />
          </span>
        </button>
      </div>
      <div className={styles.scroll}>
        <ul>
          {own("top").map((entry) => (
            <EntryLink key={entry.id} entry={entry} attention={start.attention} />
          ))}
        </ul>
        {groups.map((group) => (
          <EntryGroup key={group} name={words[group]} entries={own(group)} attention={start.attention}>
            {group === "content" && <CollectionList />}
          </EntryGroup>
        ))}
      </div>
      <div className={styles.foot}>
        <UserMenu />
      </div>
    </>
  );
}

interface GroupProps {
  name: string;
  entries: Entry[];
  attention: AdminStart["attention"];
  children: ReactNode;
}

/** A group without entries is absent. */
function EntryGroup({ name, entries, attention, children }: GroupProps) {
  const id = useId();
  if (entries.length === 0) return null;
  return (
    <>
      <p id={id} className={styles.group}>
        {name}
      </p>
      <ul aria-labelledby={id}>
        {entries.map((entry) => (
          <EntryLink key={entry.id} entry={entry} attention={attention} />
        ))}
      </ul>
      {children}
    </>
  );
}

function EntryLink({ entry, attention }: { entry: Entry; attention: AdminStart["attention"] }) {
  const words = { ...useWords(commonWords), ...useWords(shellWords) };
  const path = useLocation({ select: ({ pathname }) => pathname });
  const failed = entry.attention?.(attention) ?? 0;
  const id = useId();
  // Below "Collections" each collection has an entry of its own.
  const isExact = entry.isExact || entry.id === "collections";
  const isHere = isExact ? path === pathOf(entry) : isAt(path, pathOf(entry));
  return (
    <li className={styles.entry}>
      <TextLink
        to={entry.to}
        {...(entry.params && { params: entry.params })}
        className={styles.link}
        aria-current={isHere ? "page" : undefined}
        aria-describedby={failed > 0 ? id : undefined}
      >
        <Icon of={entry.icon} />
        <span className={styles.label}>{entry.label(words)}</span>
      </TextLink>
      {failed > 0 && (
        <span id={id} className={styles.failed}>
          {words.failing(failed)}
        </span>
      )}
    </li>
  );
}
