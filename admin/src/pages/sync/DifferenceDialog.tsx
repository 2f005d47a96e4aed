// Both copies of an item, side by side.

import type { Comparison, SyncDifference } from "@contract/transfer.ts";
import { useQuery } from "@tanstack/react-query";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { SideBySide } from "#form/difference/SideBySide.tsx";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { syncWords } from "#words/sync.ts";
import { nounOf } from "./sync-items.ts";

export function DifferenceDialog({ item, onClose }: { item: Comparison; onClose: () => void }) {
  const words = useWords(syncWords);
  const common = useWords(commonWords);
  const { kind, id, collection } = item;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["sync", "difference", kind, collection, id],
    queryFn: ({ signal }) =>
      askData<SyncDifference>(routes.syncDifference, { body: { kind, id, ...(collection && { collection }) }, signal }),
    gcTime: 0,
  });
  const isSlow = useDelayed(isPending, 300);
  return (
    <Dialog
      title={`${words.nouns[nounOf(item)]} ${id}`}
      size="large"
      onClose={onClose}
      footer={<Button onPress={onClose}>{common.close}</Button>}
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && isSlow && <Skeleton height="10rem" />}
      {data && (
        <SideBySide left={data.local} right={data.remote} leftLabel={words.local} rightLabel={words.remoteSide} />
      )}
    </Dialog>
  );
}
