// The applications that may ask users for access, and the keys that their tokens are signed with.

import type { OAuthClient } from "@contract/oauth.ts";
import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { Part } from "#pages/profile/Part.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan, useStart } from "#session/start.ts";
import { errorText, Failed } from "#shell/LoadState.tsx";
import { TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { oauthWords } from "#words/oauth.ts";
import { shellWords } from "#words/shell.ts";
import { Ago } from "./Ago.tsx";
import { NewClientDialog } from "./NewClientDialog.tsx";
import styles from "./oauth.module.css";
import { RemoveClient, RemoveStale } from "./RemoveClient.tsx";
import { clientsQuery, pruneClients } from "./records.ts";
import { ScopeList } from "./ScopeList.tsx";
import { KeysPart } from "./SigningKeys.tsx";
import { StateLine } from "./StateLine.tsx";

export function ClientsPage() {
  const words = useWords(oauthWords);
  const { manage } = useWords(shellWords);
  const can = useCan();
  const { site } = useStart();
  const isPro = site.edition === "pro";
  const mayRead = can("read", "admin");
  const clients = useQuery({ ...clientsQuery, enabled: mayRead && isPro });
  const [isNew, setIsNew] = useState(false);
  const isOpen = mayRead && isPro;
  useCommand(isOpen ? { id: "new-oauth-client", label: words.newClient, run: () => setIsNew(true) } : undefined);
  return (
    <Page
      title={words.clients}
      breadcrumbs={[{ label: manage }]}
      needs={mayRead}
      isWide
      isBusy={isOpen && clients.isPending}
      actions={
        isOpen && (
          <Button variant="primary" icon={Plus} onPress={() => setIsNew(true)}>
            {words.newClient}
          </Button>
        )
      }
    >
      <StateLine />
      {clients.isError && !clients.data && <Failed error={clients.error} onRetry={() => void clients.refetch()} />}
      {clients.data && <Lists clients={clients.data} onNew={() => setIsNew(true)} />}
      {isNew && <NewClientDialog onClose={() => setIsNew(false)} />}
    </Page>
  );
}

function Lists({ clients, onNew }: { clients: OAuthClient[]; onNew: () => void }) {
  const words = useWords(oauthWords);
  const common = useWords(commonWords);
  const [removing, setRemoving] = useState<OAuthClient>();
  const [stale, setStale] = useState<number>();
  const own = clients.filter(({ origin }) => origin === "static");
  const registered = clients.filter(({ origin }) => origin !== "static");
  const count = async () => {
    try {
      const { clients: found } = await pruneClients({ dryRun: true });
      if (found === 0) toast.good(words.noStale);
      else setStale(found);
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
  };
  return (
    <div className={styles.parts}>
      <Part title={words.madeHere} text={words.madeHereText}>
        <ClientGrid
          label={words.madeHere}
          clients={own}
          onRemove={setRemoving}
          empty={
            <EmptyState
              level={3}
              title={words.noneMade}
              text={words.noneMadeText}
              action={
                <Button icon={Plus} onPress={onNew}>
                  {common.makeFirst}
                </Button>
              }
            />
          }
        />
      </Part>
      <Part
        title={words.selfRegistered}
        text={words.selfRegisteredText}
        actions={<Button onPress={() => void count()}>{words.removeStale}</Button>}
      >
        <ClientGrid
          label={words.selfRegistered}
          clients={registered}
          onRemove={setRemoving}
          empty={<p className={styles.text}>{words.noneRegistered}</p>}
        />
      </Part>
      <KeysPart grants={clients.reduce((sum, { grants }) => sum + grants, 0)} />
      {removing && <RemoveClient client={removing} onClose={() => setRemoving(undefined)} />}
      {stale !== undefined && <RemoveStale count={stale} onClose={() => setStale(undefined)} />}
    </div>
  );
}

interface GridProps {
  label: string;
  clients: OAuthClient[];
  onRemove: (client: OAuthClient) => void;
  empty: ReactNode;
}

function ClientGrid({ label, clients, onRemove, empty }: GridProps) {
  const columns = useColumns(onRemove);
  return (
    <RecordGrid
      label={label}
      columns={columns}
      rows={clients}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={empty}
    />
  );
}

function useColumns(onRemove: (client: OAuthClient) => void): RecordColumn<OAuthClient>[] {
  const words = useWords(oauthWords);
  return [
    {
      id: "name",
      label: words.name,
      sortBy: ({ name }) => name,
      cell: ({ name, id, confidential }) => (
        <span className={styles.named}>
          <span className={styles.strong}>{name}</span>
          <span>{confidential ? words.confidential : words.public}</span>
          <code className={styles.id}>{id}</code>
        </span>
      ),
    },
    {
      id: "redirectUris",
      label: words.redirectUris,
      cell: ({ redirectUris }) => (
        <ul className={styles.uris}>
          {redirectUris.map((uri) => (
            <li key={uri}>
              <code>{uri}</code>
            </li>
          ))}
        </ul>
      ),
    },
    { id: "scopes", label: words.scopes, cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
    {
      id: "grants",
      label: words.usedBy,
      align: "end",
      sortBy: ({ grants }) => grants,
      cell: ({ id, grants }) =>
        grants === 0 ? (
          formatNumber(0)
        ) : (
          <TextLink to="/admin/utils/oauth-grants" search={{ client: id }} aria-label={words.grantCount(grants)}>
            {formatNumber(grants)}
          </TextLink>
        ),
    },
    {
      id: "created",
      label: words.created,
      sortBy: ({ created }) => created,
      cell: ({ created }) => <Ago time={created} />,
    },
    {
      id: "lastUsed",
      label: words.lastUsed,
      sortBy: ({ lastUsed }) => lastUsed ?? "",
      cell: ({ lastUsed }) => (lastUsed === null ? words.never : <Ago time={lastUsed} />),
    },
    {
      id: "remove",
      label: words.remove,
      isLabelHidden: true,
      align: "end",
      cell: (client) => (
        <IconButton label={words.removeOf(client.name)} icon={Trash2} onPress={() => onRemove(client)} />
      ),
    },
  ];
}
