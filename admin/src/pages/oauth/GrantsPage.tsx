// Which users have let which applications in: a region for each client, a row for each user.

import type { OAuthClient, OAuthGrant } from "@contract/oauth.ts";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { Part } from "#pages/profile/Part.tsx";
import { UndoButton } from "#pages/undo/UndoButton.tsx";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton, TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { oauthWords } from "#words/oauth.ts";
import { shellWords } from "#words/shell.ts";
import { Ago } from "./Ago.tsx";
import { type ClientGrants, groupByClient } from "./group-grants.ts";
import styles from "./oauth.module.css";
import { ReachDialog } from "./ReachDialog.tsx";
import { RevokeAll, RevokeOne } from "./Revoke.tsx";
import { clientsQuery, grantsQuery, hostOf } from "./records.ts";
import { ScopeList } from "./ScopeList.tsx";
import { StateLine } from "./StateLine.tsx";

export function GrantsPage() {
  const words = useWords(oauthWords);
  const { manage } = useWords(shellWords);
  const { client: only } = useSearch({ strict: false });
  const { site } = useStart();
  const mayRead = useCan()("read", "admin");
  const isOpen = mayRead && site.edition === "pro";
  const grants = useQuery({ ...grantsQuery, enabled: isOpen });
  const clients = useQuery({ ...clientsQuery, enabled: isOpen });
  const groups = grants.data && groupByClient(grants.data).filter(({ id }) => only === undefined || id === only);
  return (
    <Page
      title={words.grants}
      breadcrumbs={[{ label: manage }]}
      needs={mayRead}
      isWide
      isBusy={isOpen && grants.isPending}
      actions={only !== undefined && <LinkButton to="/admin/utils/oauth-grants">{words.allClients}</LinkButton>}
    >
      <StateLine />
      {isOpen && <p className={styles.text}>{words.grantsText}</p>}
      {grants.isError && !grants.data && <Failed error={grants.error} onRetry={() => void grants.refetch()} />}
      {groups?.length === 0 && (
        <Slab>
          <EmptyState title={only === undefined ? words.noGrants : words.noGrantsOf} text={words.noGrantsText} />
        </Slab>
      )}
      <div className={styles.parts}>
        {groups?.map((group) => (
          <ClientPart key={group.id} group={group} client={clients.data?.find(({ id }) => id === group.id)} />
        ))}
      </div>
    </Page>
  );
}

type Asked = { kind: "reach" | "revoke"; grant: OAuthGrant } | { kind: "revoke-all" };

function ClientPart({ group, client }: { group: ClientGrants; client: OAuthClient | undefined }) {
  const words = useWords(oauthWords);
  const [asked, setAsked] = useState<Asked>();
  const { label, origin, grants } = group;
  const close = () => setAsked(undefined);
  const about = [
    ...(origin === "static" ? [] : [words.self]),
    ...(client ? [hostOf(client)] : []),
    words.grantCount(grants.length),
  ];
  return (
    <Part
      title={label}
      text={about.join(" · ")}
      actions={
        <>
          <UndoButton by={{ client: group.id }} name={label} />
          <Button onPress={() => setAsked({ kind: "revoke-all" })}>{words.revokeAll}</Button>
        </>
      }
    >
      <RecordGrid
        label={label}
        columns={useColumns(setAsked)}
        rows={grants}
        idOf={({ id }) => id}
        nameOf={({ userName }) => userName}
      />
      {asked?.kind === "reach" && <ReachDialog grant={asked.grant} onClose={close} />}
      {asked?.kind === "revoke" && <RevokeOne grant={asked.grant} onClose={close} />}
      {asked?.kind === "revoke-all" && <RevokeAll group={group} onClose={close} />}
    </Part>
  );
}

function useColumns(onAsk: (asked: Asked) => void): RecordColumn<OAuthGrant>[] {
  const words = useWords(oauthWords);
  return [
    {
      id: "user",
      label: words.user,
      sortBy: ({ userName }) => userName,
      cell: ({ userName, userId }) => (
        <span className={styles.named}>
          <TextLink to="/admin/users/$id" params={{ id: userId }} className={styles.strong}>
            {userName}
          </TextLink>
          {userName !== userId && <code className={styles.id}>{userId}</code>}
        </span>
      ),
    },
    { id: "scopes", label: words.mayDo, cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
    {
      id: "since",
      label: words.since,
      sortBy: ({ created }) => created,
      cell: ({ created }) => <Ago time={created} />,
    },
    {
      id: "lastUsed",
      label: words.lastUsed,
      sortBy: ({ lastUsed }) => lastUsed ?? "",
      cell: ({ lastUsed }) => (lastUsed === null ? words.never : <Ago time={lastUsed} />),
    },
    { id: "ends", label: words.ends, sortBy: ({ expires }) => expires, cell: ({ expires }) => <Ago time={expires} /> },
    {
      id: "actions",
      label: words.actions,
      isLabelHidden: true,
      align: "end",
      cell: (grant) => (
        <div className={styles.buttons}>
          <Button onPress={() => onAsk({ kind: "reach", grant })}>{words.reaches}</Button>
          <UndoButton by={{ grant: grant.id }} name={grant.clientName} />
          <Button onPress={() => onAsk({ kind: "revoke", grant })}>{words.revoke}</Button>
        </div>
      ),
    },
  ];
}
