// A snapshot beside what is there now.

import type { Snapshot, SnapshotContent } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { useQuery } from "@tanstack/react-query";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { SideBySide } from "#form/difference/SideBySide.tsx";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { backupsWords } from "#words/backups.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { nameOfSnapshot } from "./snapshot-name.ts";

interface Props {
  snapshot: Snapshot;
  onRestore: () => void;
  onClose: () => void;
}

export function SnapshotDialog({ snapshot, onRestore, onClose }: Props) {
  const words = useWords(backupsWords);
  const common = useWords(commonWords);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["snapshots", "difference", snapshot.file],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const [{ content }, now] = await Promise.all([
        askData<SnapshotContent>(routes.snapshots, { query: { file: snapshot.file }, signal }),
        findPresent(snapshot, signal),
      ]);
      // Counters and files of the present state are in no snapshot.
      return { before: content, now: now && narrowed(now, content) };
    },
  });
  const isSlow = useDelayed(isPending, 300);
  return (
    <Dialog
      title={words.differenceTitle(nameOfSnapshot(snapshot))}
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{common.close}</Button>
          <Button variant="primary" onPress={onRestore}>
            {words.restore}
          </Button>
        </>
      }
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && isSlow && <Skeleton height="10rem" />}
      {data && <SideBySide left={data.before} right={data.now} leftLabel={words.before} rightLabel={words.now} />}
    </Dialog>
  );
}

/** null: it is not there any more. */
async function findPresent({ kind, collection = "", id }: Snapshot, signal: AbortSignal): Promise<JsonObject | null> {
  const question =
    kind === "schema"
      ? askData<JsonObject>(routes.schema, { path: { id }, query: { raw: true }, signal })
      : kind === "collection"
        ? askData<JsonObject>(routes.collectionSettings, { path: { collection: id }, signal })
        : askData<JsonObject>(routes.object, { path: { collection, id }, signal });
  return question.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
}

/** The settings of a collection are answered with all their defaults; a snapshot has what was stored. */
function narrowed(now: JsonObject, before: JsonObject): JsonObject {
  const isDefault = (name: string) => !Object.hasOwn(before, name) && isEmpty(now[name]);
  return Object.fromEntries(Object.entries(now).filter(([name]) => !isDefault(name)));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === false;
}
