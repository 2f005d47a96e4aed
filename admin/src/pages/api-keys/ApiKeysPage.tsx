// API keys: what there is, what each opens, and when it was last used. A new one is shown once.

import type { ApiKey } from "@contract/keys.ts";
import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { UndoButton } from "#pages/undo/UndoButton.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { apiKeysWords } from "#words/api-keys.ts";
import { formatAgo, formatDateTime, formatDay } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./api-keys.module.css";
import { DeleteKey } from "./DeleteKey.tsx";
import { endpointName } from "./endpoints.ts";
import { keysQuery } from "./keys.ts";
import { MadeKey } from "./MadeKey.tsx";
import { NewKey } from "./NewKey.tsx";

export function ApiKeysPage() {
  const words = useWords(apiKeysWords);
  const { site, can } = useStart();
  const isPro = site.edition === "pro";
  const [isMaking, setIsMaking] = useState(false);
  // Nowhere else: when the dialog closes, the key is gone from this page.
  const [made, setMade] = useState<ApiKey & { key: string }>();
  const [leaving, setLeaving] = useState<ApiKey>();
  const keys = useQuery({ ...keysQuery, enabled: can.admin && isPro });
  const start = () => setIsMaking(true);
  const isOffered = can.admin && isPro;
  useShortcut("n", words.newKey, start, { when: isOffered });
  useCommand(isOffered ? { id: "new-key", label: words.newKey, run: start } : undefined);
  const button = (
    <Button variant="primary" icon={Plus} onPress={start}>
      {words.newKey}
    </Button>
  );
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: words.manage }]}
      needs={useCan()("read", "admin")}
      actions={isOffered && button}
      isBusy={keys.isLoading}
      isWide
    >
      {!isPro && <Notice tone="info">{words.needsPro(site.edition)}</Notice>}
      {keys.isLoading && <Skeleton height="12rem" />}
      {keys.isError && !keys.data && <Failed error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data && <KeyGrid keys={keys.data} onDelete={setLeaving} />}
      {isMaking && (
        <NewKey
          onClose={() => setIsMaking(false)}
          onMade={(key) => {
            setIsMaking(false);
            setMade(key);
          }}
        />
      )}
      {made && <MadeKey made={made} onDone={() => setMade(undefined)} />}
      {leaving && <DeleteKey apiKey={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  );
}

function KeyGrid({ keys, onDelete }: { keys: ApiKey[]; onDelete: (key: ApiKey) => void }) {
  const words = useWords(apiKeysWords);
  const columns: RecordColumn<ApiKey>[] = [
    {
      id: "name",
      label: words.name,
      sortBy: ({ name }) => name,
      cell: ({ name }) => <span className={css.name}>{name}</span>,
    },
    { id: "key", label: words.key, cell: ({ prefix }) => <code className={css.prefix}>{prefix}…</code> },
    { id: "methods", label: words.methods, cell: ({ methods }) => methods.join(", ") },
    { id: "endpoints", label: words.endpoints, cell: (key) => <Endpoints apiKey={key} /> },
    {
      id: "created",
      label: words.created,
      sortBy: ({ created }) => created,
      cell: ({ created }) => <span title={formatDateTime(created)}>{formatDay(created)}</span>,
    },
    {
      id: "used",
      label: words.lastUsed,
      sortBy: ({ lastUsed }) => lastUsed ?? "",
      cell: ({ lastUsed }) =>
        lastUsed ? (
          <span title={formatDateTime(lastUsed)}>{formatAgo(lastUsed)}</span>
        ) : (
          <span className={css.quiet}>{words.never}</span>
        ),
    },
    {
      id: "delete",
      label: words.actions,
      isLabelHidden: true,
      align: "end",
      cell: (key) => (
        <span className={css.buttons}>
          <UndoButton by={{ key: key.id }} name={key.name} />
          <IconButton label={words.deleteOf(key.name)} icon={Trash2} onPress={() => onDelete(key)} />
        </span>
      ),
    },
  ];
  return (
    <RecordGrid
      label={words.title}
      columns={columns}
      rows={keys}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={<EmptyState title={words.emptyTitle} text={words.emptyText} />}
    />
  );
}

function Endpoints({ apiKey: { endpoints, published } }: { apiKey: ApiKey }) {
  const words = useWords(apiKeysWords);
  const { collections } = useStart();
  return (
    <span className={css.badges}>
      {endpoints.includes("*") ? (
        <Badge tone="warn">{words.all}</Badge>
      ) : (
        endpoints.map((endpoint) => <Badge key={endpoint}>{endpointName(endpoint, words.named, collections)}</Badge>)
      )}
      {published && <Badge tone="info">{words.publishedShort}</Badge>}
    </span>
  );
}
