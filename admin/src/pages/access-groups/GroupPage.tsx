// One access group; without an id, a new one. The same page stays when a new group is stored.

import { type AccessGroup, adminGroup, type Permissions } from "@contract/access-groups.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import type { KeptEntry } from "#form/kept.ts";
import { findKept } from "#form/use-kept.ts";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { accessGroupsWords } from "#words/access-groups.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { GroupEditor } from "./GroupEditor.tsx";
import { keptGroups } from "./group-values.ts";
import { groupQuery } from "./groups.ts";
import { MembersPart } from "./MembersPart.tsx";
import { useGroupCrumbs } from "./use-group-crumbs.ts";

const nothing = { operations: [], all: false, allowed: [] };
const noPermissions: Permissions = {
  ...{ collectionsMeta: nothing, collections: nothing, schemas: nothing },
  ...{ builder: false, mailer: false, playground: false, dataviews: false, docs: false },
  ...{
    utils: { all: false, allowed: [] },
    settings: { all: false, allowed: [] },
    extensions: { all: false, allowed: [] },
  },
};

export function GroupPage() {
  const { id } = useParams({ strict: false });
  const words = useWords(accessGroupsWords);
  const can = useCan();
  const [made, setMade] = useState({ id: "", round: 0 });
  const hasArrived = useRef(false);
  // A new group that was saved here keeps its form, until its page is left.
  const isMade = made.id !== "" && (made.id === id || !hasArrived.current);
  useEffect(() => {
    if (made.id === "") return;
    if (made.id === id) hasArrived.current = true;
    else if (hasArrived.current) {
      hasArrived.current = false;
      setMade({ id: "", round: made.round + 1 });
    }
  }, [made, id]);
  if (!can("read", "admin")) return <Page title={id ?? words.newGroup} needs={false} />;
  const openedAs = isMade ? "" : (id ?? "");
  return (
    <Loaded
      key={`${openedAs} ${made.round}`}
      id={id}
      openedAs={openedAs}
      onMade={(newId) => setMade({ id: newId, round: made.round })}
    />
  );
}

interface Props {
  id: string | undefined;
  /** The id that the page was opened with; empty for a new group. */
  openedAs: string;
  onMade: (id: string) => void;
}

function Loaded({ id, openedAs, onMade }: Props) {
  const words = useWords(accessGroupsWords);
  const common = useWords(commonWords);
  const { user } = useStart();
  const { from = "" } = useSearch({ strict: false }) as Search;
  const breadcrumbs = useGroupCrumbs();
  const source = openedAs || from;
  const group = useQuery({ ...groupQuery(source), enabled: source !== "" });
  const kept = useQuery({
    queryKey: ["kept", user.id, keptGroups, openedAs],
    queryFn: async (): Promise<KeptEntry | null> =>
      (await findKept({ user: user.id, collection: keptGroups, id: openedAs || "-new" })) ?? null,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const title = id ?? words.newGroup;
  if (group.error instanceof ApiError && group.error.status === 404)
    return (
      <Page title={common.notFoundTitle} breadcrumbs={breadcrumbs}>
        <EmptyState
          title={title}
          text={group.error.message}
          action={
            <LinkButton to="/admin/utils/access-groups" variant="primary">
              {words.title}
            </LinkButton>
          }
        />
      </Page>
    );
  if ((source !== "" && !group.data) || kept.data === undefined)
    return (
      <Page title={title} breadcrumbs={breadcrumbs} isBusy={!group.error}>
        {group.error ? (
          <Failed error={group.error} onRetry={() => void group.refetch()} />
        ) : (
          <Skeleton height="16rem" />
        )}
      </Page>
    );
  if (openedAs === adminGroup) return <FixedGroup id={adminGroup} />;
  const isNew = openedAs === "";
  const begun: AccessGroup = {
    id: openedAs,
    description: isNew ? "" : (group.data?.description ?? ""),
    permissions: group.data?.permissions ?? noPermissions,
  };
  return <GroupEditor id={id} begun={begun} kept={kept.data ?? undefined} onMade={onMade} />;
}

/** The group of administrators: nothing about it can be changed. */
function FixedGroup({ id }: { id: string }) {
  const words = useWords(accessGroupsWords);
  return (
    <Page title={id} breadcrumbs={useGroupCrumbs()}>
      <Notice tone="info" title={words.fixedTitle}>
        {words.fixedText}
      </Notice>
      <MembersPart id={id} />
    </Page>
  );
}
