// The endpoint for AI clients: where it is, what it opens, how the common clients connect, and whether they can.

import type { McpCollection, McpStatus } from "@contract/mcp.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { Part } from "#pages/profile/Part.tsx";
import { useCan } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { Badge } from "#ui/Badge.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { mcpWords } from "#words/mcp.ts";
import { shellWords } from "#words/shell.ts";
import { DoctorPart } from "./DoctorPart.tsx";
import { type ClientId, clientIds, instructionsFor } from "./instructions.ts";
import styles from "./McpPage.module.css";

const statusQuery = queryOptions({
  queryKey: ["mcp-status"],
  queryFn: ({ signal }) => askData<McpStatus>(routes.mcpStatus, { signal }),
});

export function McpPage() {
  const words = useWords(mcpWords);
  const { manage } = useWords(shellWords);
  const mayRead = useCan()("read", "admin");
  const status = useQuery({ ...statusQuery, enabled: mayRead });
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: manage }]}
      needs={mayRead}
      isBusy={mayRead && status.isPending}
      status={
        status.data && (
          <Badge tone={status.data.enabled ? "good" : "bad"}>{status.data.enabled ? words.on : words.off}</Badge>
        )
      }
    >
      {status.isError && !status.data && <Failed error={status.error} onRetry={() => void status.refetch()} />}
      {status.data && (
        <div className={styles.parts}>
          <EndpointPart status={status.data} />
          <ConnectPart endpoint={status.data.endpoint} />
          <CollectionsPart status={status.data} />
          <DoctorPart endpoint={status.data.endpoint} />
        </div>
      )}
    </Page>
  );
}

function EndpointPart({ status }: { status: McpStatus }) {
  const words = useWords(mcpWords);
  const common = useWords(commonWords);
  const { enabled, endpoint } = status;
  return (
    <Part title={words.endpoint} text={words.endpointText}>
      {!enabled && <Notice tone="warn">{words.offText}</Notice>}
      <div className={styles.address}>
        <TextInput label={words.endpoint} isLabelHidden value={endpoint} onChange={() => undefined} isReadOnly isMono />
        <CopyButton text={endpoint} label={words.copyAddress} copiedLabel={common.copied} isIconOnly />
      </div>
      <dl className={styles.facts}>
        {useFacts(status).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}

function useFacts(status: McpStatus): [name: string, value: string][] {
  const words = useWords(mcpWords);
  const { publicAccess, publicIpPerMinute, oauth, apiKeys, allowedOrigins, toolPrefix, sessions } = status;
  const open = publicIpPerMinute === 0 ? words.publicAccessFree : words.publicAccessOn(formatNumber(publicIpPerMinute));
  return [
    [words.oauth, oauth ? words.oauthOn : apiKeys ? words.off : words.needsPro],
    [words.apiKeys, apiKeys ? words.apiKeysOn : words.needsPro],
    [words.publicAccess, publicAccess ? open : words.publicAccessOff],
    [words.origins, allowedOrigins.join(", ") || words.noOrigins],
    ...(toolPrefix === "" ? [] : [[words.prefix, toolPrefix] as [string, string]]),
    [words.sessions, formatNumber(sessions)],
  ];
}

function ConnectPart({ endpoint }: { endpoint: string }) {
  const words = useWords(mcpWords);
  const [client, setClient] = useState<ClientId>("claudeCode");
  const name = words.clientNames[client];
  const { code, keyCode } = instructionsFor(client, endpoint);
  return (
    <Part title={words.connect} text={words.connectText}>
      <Tabs
        label={words.clients}
        tabs={clientIds.map((id) => ({ id, label: words.clientNames[id] }))}
        selected={client}
        onSelect={(id) => setClient(id as ClientId)}
      >
        <div className={styles.steps}>
          <p>{words.steps[client]}</p>
          <Code text={code} label={words.codeOf(name)} copyLabel={words.copyOf(name)} />
          {keyCode !== undefined && (
            <>
              {client !== "other" && <p>{words.withKey}</p>}
              <Code text={keyCode} label={words.codeKeyOf(name)} copyLabel={words.copyKeyOf(name)} />
            </>
          )}
        </div>
      </Tabs>
    </Part>
  );
}

function Code({ text, label, copyLabel }: { text: string; label: string; copyLabel: string }) {
  const common = useWords(commonWords);
  return (
    <div className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={text} label={copyLabel} copiedLabel={common.copied} isIconOnly />
    </div>
  );
}

function CollectionsPart({ status }: { status: McpStatus }) {
  const words = useWords(mcpWords);
  const columns = useColumns(status.publicAccess);
  return (
    <Part title={words.collections} text={words.collectionsText}>
      <RecordGrid
        label={words.collections}
        columns={columns}
        rows={status.collections}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={<p className={styles.text}>{words.noCollections}</p>}
        footer={
          <details>
            <summary>{words.toolCount(status.tools.length)}</summary>
            <p className={styles.tools}>
              {status.tools.map((tool) => (
                <code key={tool}>{tool}</code>
              ))}
            </p>
          </details>
        }
      />
    </Part>
  );
}

function useColumns(isPublicOpen: boolean): RecordColumn<McpCollection>[] {
  const words = useWords(mcpWords);
  const common = useWords(commonWords);
  const tones = { public: "accent", authenticated: "info", admin: "neutral" } as const;
  return [
    {
      id: "name",
      label: words.name,
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (
        <TextLink to="/admin/collections/$collection/-settings" params={{ collection: id }} search={{ tab: "mcp" }}>
          {name}
        </TextLink>
      ),
    },
    {
      id: "access",
      label: words.access,
      sortBy: ({ access }) => access,
      cell: ({ access }) => (
        <Badge tone={tones[access]}>
          {access === "public" && !isPublicOpen ? words.publicClosed : words.accessNames[access]}
        </Badge>
      ),
    },
    { id: "resource", label: words.resource, cell: ({ resource }) => (resource ? common.yes : common.no) },
    {
      id: "tools",
      label: words.tools,
      cell: ({ tools }) =>
        tools.length > 0 && (
          <span className={styles.tools}>
            {tools.map((tool) => (
              <code key={tool}>{tool}</code>
            ))}
          </span>
        ),
    },
  ];
}
