// How the last build of a data view went, and its result.

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Failed } from "#shell/LoadState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Progress } from "#ui/Progress.tsx";
import { Slab } from "#ui/Slab.tsx";
import { dataViewWords } from "#words/data-views.ts";
import { useWords } from "#words/language.ts";
import { formatMoment } from "#words/moment.ts";
import { ResultView } from "./ResultView.tsx";
import { ViewBadge } from "./ViewBadge.tsx";
import { dataQuery, viewQuery } from "./view-calls.ts";
import css from "./views.module.css";

export function StoredResult({ id, isBuilding }: { id: string; isBuilding: boolean }) {
  const words = useWords(dataViewWords);
  const heading = useId();
  const view = useQuery(viewQuery(id));
  const built = view.data?.lastBuilt ?? "";
  const data = useQuery({ ...dataQuery(id, built), enabled: built !== "" });
  return (
    <Slab as="section" aria-labelledby={heading} className={css.slab}>
      <div className={css.line}>
        <h2 id={heading} className={css.title}>
          {words.storedResult}
        </h2>
        {view.data && <ViewBadge view={view.data} />}
        {built !== "" && (
          <span className={css.help}>
            {words.lastBuilt}: {formatMoment(built)}, {words.milliseconds(view.data?.durationMs ?? 0)}
          </span>
        )}
      </div>
      {isBuilding && <Progress label={words.rebuilding} />}
      {view.error && <Failed error={view.error} onRetry={() => void view.refetch()} />}
      {view.data?.lastError && (
        <Notice tone="bad" title={words.rebuildFailed}>
          {view.data.lastError}
        </Notice>
      )}
      {view.data && built === "" && <p className={css.help}>{words.noResult}</p>}
      {data.error && <Failed error={data.error} onRetry={() => void data.refetch()} />}
      {data.data !== undefined && <ResultView label={words.storedResult} data={data.data} />}
    </Slab>
  );
}
