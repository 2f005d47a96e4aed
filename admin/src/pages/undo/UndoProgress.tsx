// How far an undo is, and what became of it.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Failed } from "#shell/LoadState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Progress } from "#ui/Progress.tsx";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { undoWords } from "#words/undo.ts";
import css from "./undo.module.css";
import { jobQuery } from "./undo-calls.ts";

export function UndoProgress({ job, total }: { job: string; total: number }) {
  const words = useWords(undoWords);
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(jobQuery(job));
  const isDone = data?.status === "succeeded";
  useEffect(() => {
    if (!isDone) return;
    for (const queryKey of [["objects"], ["start"], ["recent"], ["trash"]]) void client.invalidateQueries({ queryKey });
  }, [isDone, client]);
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data?.status === "failed")
    return (
      <div role="alert">
        <Notice tone="bad">{words.failed(data.error ?? "")}</Notice>
      </div>
    );
  if (isDone) {
    const { failed = [], lost = [], moved = [] } = data.result ?? {};
    return (
      <div role="status" className={css.stack}>
        <Notice tone="good" title={words.done}>
          {words.doneText}
        </Notice>
        {[...failed.map(({ collection, id, message }) => `${collection}/${id}: ${message}`)].map((text) => (
          <p key={text} className={css.text}>
            {text}
          </p>
        ))}
        {moved.length > 0 && <p className={css.text}>{words.movedObjects(moved.join(", "))}</p>}
        {lost.length > 0 && <p className={css.text}>{words.lostFiles(lost.join(", "))}</p>}
      </div>
    );
  }
  const isRunning = data?.status === "running";
  const all = data?.progress.total || total;
  return (
    <div className={css.stack}>
      <Progress
        label={words.running}
        {...(isRunning && { value: data.progress.done, max: all })}
        detail={isRunning ? words.progress(formatNumber(data.progress.done), formatNumber(all)) : words.queued}
      />
      <p className={css.text}>{words.goesOn}</p>
    </div>
  );
}
