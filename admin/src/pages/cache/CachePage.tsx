// What is kept so that it is not made twice: how much there is, how often it helped, and the buttons that clear it.

import type { CacheFigures, CacheReport } from "@contract/admin.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Eraser } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useSearchChange } from "#pages/mailer/open-dialog.ts";
import { useCommand } from "#session/commands.ts";
import { useCan } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import layout from "#ui/layout.module.css";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { cacheWords } from "#words/cache.ts";
import { formatBytes, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { ClearCache } from "./ClearCache.tsx";
import { ClearKind } from "./ClearKind.tsx";
import css from "./cache.module.css";

const countingMs = 2_000;
const everyMs = 10_000;

const cacheQuery = queryOptions({
  queryKey: ["cache"],
  queryFn: ({ signal }) => askData<CacheReport>(routes.cache, { signal }),
  refetchInterval: ({ state }) => (state.data?.images.isCounting ? countingMs : everyMs),
});

export function CachePage() {
  const words = useWords(cacheWords);
  const ofShell = useWords(shellWords);
  const isAllowed = useCan()("delete", { util: "cache" });
  const report = useQuery({ ...cacheQuery, enabled: isAllowed });
  const isSlow = useDelayed(report.isPending, 300);
  /** The name of the cache that is about to be cleared. */
  const [asked, setAsked] = useState<string>();
  const columns = useColumns(setAsked);
  const nameOf = useNames();
  const { open } = useSearch({ strict: false }) as Search;
  const change = useSearchChange();
  const clear = () => change({ open: "clear" });
  const close = () => setAsked(undefined);
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
      <div className={layout.wide}>
        <p className={layout.intro}>{words.intro}</p>
        {report.data ? (
          <RecordGrid
            label={words.caches}
            columns={columns}
            rows={report.data.caches}
            idOf={({ name }) => name}
            nameOf={({ name }) => nameOf(name)}
            footer={
              <p className={css.footer} role="status">
                {words.processes(report.data.processes.length, formatBytes(memoryOf(report.data)))}
                {report.data.images.isCounting && ` ${words.counting}`}
              </p>
            }
          />
        ) : report.isError ? (
          <Failed error={report.error} onRetry={() => void report.refetch()} />
        ) : (
          isSlow && <Skeleton height="8rem" />
        )}
      </div>
      {open === "clear" && isAllowed && <ClearCache onClose={() => change({ open: undefined })} />}
      {asked && <ClearKind name={asked} label={nameOf(asked)} onClose={close} />}
    </Page>
  );
}

function memoryOf({ processes }: CacheReport): number {
  return processes.reduce((sum, { bytes }) => sum + bytes, 0);
}

function useNames(): (name: string) => string {
  const { kinds } = useWords(cacheWords);
  return (name) => kinds[name]?.name ?? name;
}

function useColumns(onClear: (name: string) => void): RecordColumn<CacheFigures>[] {
  const words = useWords(cacheWords);
  const nameOf = useNames();
  return [
    {
      id: "name",
      label: words.kind,
      cell: ({ name, about }) => (
        <span className={css.kind}>
          {nameOf(name)}
          <span className={css.about}>{words.kinds[name]?.about ?? about}</span>
        </span>
      ),
    },
    { id: "place", label: words.place, width: "6rem", cell: ({ place }) => words.places[place] },
    {
      id: "entries",
      label: words.entries,
      align: "end",
      width: "6rem",
      sortBy: ({ entries }) => entries,
      cell: ({ entries }) => formatNumber(entries),
    },
    {
      id: "size",
      label: words.size,
      align: "end",
      width: "9rem",
      sortBy: ({ bytes }) => bytes,
      cell: ({ bytes, capacity }) =>
        capacity === 0 ? words.none : words.ofLimit(formatBytes(bytes), formatBytes(capacity)),
    },
    {
      id: "rate",
      label: words.rate,
      align: "end",
      width: "11rem",
      sortBy: ({ rate }) => rate ?? -1,
      cell: ({ rate, hits, misses, evictions }) =>
        rate === null ? (
          words.none
        ) : (
          <span className={css.kind}>
            {`${formatNumber(Math.round(rate * 100))} %`}
            <span className={css.about}>{words.lookups(formatNumber(hits), formatNumber(misses))}</span>
            {evictions > 0 && <span className={css.about}>{words.evictions(evictions)}</span>}
          </span>
        ),
    },
    {
      id: "clear",
      label: words.confirm,
      isLabelHidden: true,
      align: "end",
      width: "3.5rem",
      cell: ({ name, clearable }) =>
        clearable && (
          <span className={css.clear}>
            <IconButton label={words.clearKind(nameOf(name))} icon={Eraser} onPress={() => onClear(name)} />
          </span>
        ),
    },
  ];
}
