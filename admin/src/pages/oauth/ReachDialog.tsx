// What the tokens of a grant really reach at this moment, as the server works it out for the consent page too.

import type { GrantReach, OAuthGrant, ReachedCollection } from "@contract/oauth.ts";
import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { commonWords } from "#words/common.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { oauthWords } from "#words/oauth.ts";
import styles from "./oauth.module.css";
import { reachQuery } from "./records.ts";

export function ReachDialog({ grant, onClose }: { grant: OAuthGrant; onClose: () => void }) {
  const words = useWords(oauthWords);
  const common = useWords(commonWords);
  const reach = useQuery(reachQuery(grant.id));
  const door = doorOf(grant.resource);
  return (
    <Dialog
      title={words.reachTitle(grant.clientName, grant.userName)}
      onClose={onClose}
      size="large"
      footer={<Button onPress={onClose}>{common.close}</Button>}
    >
      <div className={styles.fields}>
        <p className={styles.text}>
          {words.reachText} {door && words[door]}
        </p>
        {reach.isPending && <Skeleton height="8rem" />}
        {reach.isError && <Failed error={reach.error} onRetry={() => void reach.refetch()} />}
        {reach.data && <Reach reach={reach.data} />}
      </div>
    </Dialog>
  );
}

/** Undefined: both doors. */
function doorOf(resource: string): "onlyMcp" | "onlyApi" | undefined {
  if (resource.endsWith("/mcp")) return "onlyMcp";
  return resource.endsWith("/api") ? "onlyApi" : undefined;
}

function Reach({ reach: { unlimited, collections } }: { reach: GrantReach }) {
  const words = useWords(oauthWords);
  const columns = useColumns();
  return (
    <>
      {unlimited && <Notice tone="warn">{words.everything}</Notice>}
      <RecordGrid
        label={words.reach}
        columns={columns}
        rows={collections}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={<Notice tone="info">{words.reachesNothing}</Notice>}
      />
    </>
  );
}

function useColumns(): RecordColumn<ReachedCollection>[] {
  const words = useWords(oauthWords);
  const common = useWords(commonWords);
  const tick = (isSo: boolean) =>
    isSo ? (
      <>
        <Icon of={Check} />
        <VisuallyHidden>{common.yes}</VisuallyHidden>
      </>
    ) : (
      <VisuallyHidden>{common.no}</VisuallyHidden>
    );
  return [
    { id: "name", label: words.collection, cell: ({ name }) => name, sortBy: ({ name }) => name },
    {
      id: "count",
      label: words.objects,
      align: "end",
      cell: ({ count }) => count !== null && formatNumber(count),
      sortBy: ({ count }) => count ?? -1,
    },
    { id: "read", label: words.read, cell: ({ read }) => tick(read) },
    { id: "write", label: words.write, cell: ({ write }) => tick(write) },
  ];
}
