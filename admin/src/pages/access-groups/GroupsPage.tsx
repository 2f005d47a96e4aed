// All access groups: what each grants, and how many users are in it.

import { type AccessGroup, adminGroup, defaultGroup } from "@contract/access-groups.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CopyPlus, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton, linkProps, TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { EmptyState } from "#ui/EmptyState.tsx";
import type { MenuEntry } from "#ui/Menu.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { accessGroupsWords } from "#words/access-groups.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./access-groups.module.css";
import { DeleteGroup } from "./DeleteGroup.tsx";
import { Grants } from "./Grants.tsx";
import { groupsQuery, memberCountsQuery } from "./groups.ts";

export function GroupsPage() {
  const words = useWords(accessGroupsWords);
  const can = useCan();
  const navigate = useNavigate();
  const isAdmin = can("read", "admin");
  const groups = useQuery({ ...groupsQuery, enabled: isAdmin });
  const counts = useQuery({ ...memberCountsQuery, enabled: isAdmin });
  const [leaving, setLeaving] = useState<string>();
  const start = (from?: string) =>
    void navigate(linkProps({ to: "/admin/utils/access-groups/-new", search: { from } }));
  useShortcut("n", words.newGroup, () => start(), { when: isAdmin });
  useCommand(isAdmin ? { id: "new-group", label: words.newGroup, run: () => start() } : undefined);

  const columns: RecordColumn<AccessGroup>[] = [
    {
      id: "group",
      label: words.group,
      width: "11rem",
      sortBy: ({ id }) => id,
      cell: ({ id }) => (
        <TextLink to="/admin/utils/access-groups/$id" params={{ id }} className={css.name}>
          {id}
        </TextLink>
      ),
    },
    { id: "description", label: words.description, cell: ({ description }) => description },
    { id: "grants", label: words.grants, cell: (group) => <Grants group={group} /> },
    {
      id: "members",
      label: words.membersColumn,
      align: "end",
      sortBy: ({ id }) => counts.data?.get(id) ?? 0,
      cell: ({ id }) => id !== defaultGroup && counts.data && formatNumber(counts.data.get(id) ?? 0),
    },
  ];
  const actions = ({ id }: AccessGroup): MenuEntry[] => [
    { id: "duplicate", label: words.duplicate, icon: CopyPlus, onAction: () => start(id) },
    ...(id === adminGroup || id === defaultGroup
      ? []
      : [
          {
            ...{ id: "delete", label: words.delete, icon: Trash2 },
            ...{ tone: "danger" as const, onAction: () => setLeaving(id) },
          },
        ]),
  ];
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: words.manage }]}
      needs={isAdmin}
      isBusy={groups.isLoading}
      isWide
      actions={
        <LinkButton to="/admin/utils/access-groups/-new" variant="primary" icon={Plus}>
          {words.newGroup}
        </LinkButton>
      }
    >
      {groups.isLoading && <Skeleton height="12rem" />}
      {groups.isError && !groups.data && <Failed error={groups.error} onRetry={() => void groups.refetch()} />}
      {groups.data && (
        <RecordGrid
          label={words.title}
          columns={columns}
          rows={groups.data}
          idOf={({ id }) => id}
          nameOf={({ id }) => id}
          actions={actions}
          empty={<EmptyState title={words.emptyTitle} text={words.emptyText} />}
        />
      )}
      {leaving !== undefined && (
        <DeleteGroup
          id={leaving}
          members={counts.data?.get(leaving) ?? 0}
          onCancel={() => setLeaving(undefined)}
          onDeleted={() => setLeaving(undefined)}
        />
      )}
    </Page>
  );
}
