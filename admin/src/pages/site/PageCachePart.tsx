// How many pages are kept in memory, and the button that removes them.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Eraser } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Failed, Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { formatBytes, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { siteWords } from "#words/site.ts";
import { Part } from "./Part.tsx";
import css from "./site.module.css";
import { pageCacheQuery } from "./site-calls.ts";

export function PageCachePart() {
  const words = useWords(siteWords);
  const client = useQueryClient();
  const report = useQuery(pageCacheQuery);
  const [isAsking, setIsAsking] = useState(false);
  const clearing = useMutation({
    mutationFn: () => askData<{ deleted: number }>(routes.clearCacheKind, { path: { name: "pages" } }),
    onSuccess: ({ deleted }) => {
      setIsAsking(false);
      toast.good(words.cleared(deleted));
      void client.invalidateQueries({ queryKey: pageCacheQuery.queryKey });
    },
  });
  const pages = report.data?.caches.find(({ name }) => name === "pages");
  return (
    <Part
      title={words.cache}
      text={words.cacheText}
      actions={
        <Button icon={Eraser} onPress={() => setIsAsking(true)}>
          {words.clearPages}
        </Button>
      }
    >
      {report.isError && !report.data && <Failed error={report.error} onRetry={() => void report.refetch()} />}
      {pages && (
        <Slab>
          <dl className={css.figures}>
            <div>
              <dt>{words.entries}</dt>
              <dd>{formatNumber(pages.entries)}</dd>
            </div>
            <div>
              <dt>{words.size}</dt>
              <dd>{words.ofLimit(formatBytes(pages.bytes), formatBytes(pages.capacity))}</dd>
            </div>
            <div>
              <dt>{words.cacheHits}</dt>
              <dd>{formatNumber(pages.hits)}</dd>
            </div>
          </dl>
        </Slab>
      )}
      {isAsking && (
        <ConfirmDialog
          title={words.clearTitle}
          text={words.clearText}
          confirmLabel={words.clear}
          isPending={clearing.isPending}
          error={clearing.error && <Problem error={clearing.error} />}
          onConfirm={() => clearing.mutate()}
          onCancel={() => {
            clearing.reset();
            setIsAsking(false);
          }}
        />
      )}
    </Part>
  );
}
