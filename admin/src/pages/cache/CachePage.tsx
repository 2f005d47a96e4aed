// What is kept so that images are answered quickly: how much there is, how often it helped, and the button that removes it.

import type { CacheKind, CacheReport } from "@contract/admin.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Eraser } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import { Button } from "#ui/Button.tsx";
import layout from "#ui/layout.module.css";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { cacheWords } from "#words/cache.ts";
import { formatBytes, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { ClearCache } from "./ClearCache.tsx";
import css from "./cache.module.css";

const countingMs = 2_000;

const cacheQuery = queryOptions({
  queryKey: ["cache"],
  queryFn: ({ signal }) => askData<CacheReport>(routes.cache, { signal }),
  refetchInterval: ({ state }) => (state.data?.isCounting ? countingMs : false),
});

export function CachePage() {
  const words = useWords(cacheWords);
  const ofShell = useWords(shellWords);
  const isAllowed = useCan()("delete", { util: "cache" });
  const report = useQuery({ ...cacheQuery, enabled: isAllowed });
  const isSlow = useDelayed(report.isPending, 300);
  const [isClearing, setIsClearing] = useState(false);
  const columns = useColumns();
  const clear = () => setIsClearing(true);
  useCommand(isAllowed ? { id: "clear-cache", label: words.clear, run: clear } : undefined);
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: ofShell.manage }]}
      needs={isAllowed}
      isBusy={report.isLoading}
      actions={
        <Button icon={Eraser} onPress={clear}>
          {words.clear}
        </Button>
      }
    >
      <div className={layout.page}>
        <p className={layout.intro}>{words.intro}</p>
        {report.data ? (
          <RecordGrid
            label={words.title}
            columns={columns}
            rows={report.data.kinds}
            idOf={({ kind }) => kind}
            nameOf={({ kind }) => words.kinds[kind].name}
            footer={
              <p className={css.footer} role="status">
                {report.data.isCounting ? words.counting : words.sinceStart}
              </p>
            }
          />
        ) : report.isError ? (
          <Failed error={report.error} onRetry={() => void report.refetch()} />
        ) : (
          isSlow && <Skeleton height="8rem" />
        )}
      </div>
      {isClearing && <ClearCache onClose={() => setIsClearing(false)} />}
    </Page>
  );
}

function useColumns(): RecordColumn<CacheKind>[] {
  const words = useWords(cacheWords);
  return [
    {
      id: "kind",
      label: words.kind,
      cell: ({ kind }) => (
        <span className={css.kind}>
          {words.kinds[kind].name}
          <span className={css.about}>{words.kinds[kind].about}</span>
        </span>
      ),
    },
    { id: "entries", label: words.entries, align: "end", width: "7rem", cell: ({ entries }) => formatNumber(entries) },
    {
      id: "size",
      label: words.size,
      align: "end",
      width: "11rem",
      cell: ({ bytes, limit }) => words.ofLimit(formatBytes(bytes), formatBytes(limit)),
    },
    { id: "hits", label: words.hits, align: "end", width: "7rem", cell: ({ hits }) => formatNumber(hits) },
  ];
}
