// Sends a bulk change and says how it went: at once, or as a job that goes on when the page is left.

import type { BulkFailure, BulkRequest, BulkResult } from "@contract/admin.ts";
import { useQueryClient } from "@tanstack/react-query";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { toast } from "#ui/toast.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import { showFailures } from "./failures.ts";
import { followJob, type JobEnd } from "./jobs.ts";

/** What a change reaches: single objects, or all that match; and how many these are. */
export interface Target {
  reach: Pick<BulkRequest, "ids" | "select">;
  count: number;
}

/** The server found another number; nothing was changed. */
export class OtherNumber extends Error {
  readonly count: number;

  constructor(count: number) {
    super(`${count} objects`);
    this.count = count;
  }
}

type Change = Pick<BulkRequest, "operation" | "body">;

/** `hasUndo`: the collection keeps its history in full. */
export function useBulk({ id: collection, name, hasUndo }: { id: string; name: string; hasUndo: boolean }) {
  const words = useWords(gridWords);
  const client = useQueryClient();
  const renew = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["objects", collection] }),
      client.invalidateQueries({ queryKey: ["start"] }),
    ]);
  const undo = async (run: string) => {
    try {
      // Loaded when it is asked for.
      const { undoRun } = await import("./undo-run.ts");
      const ended = await undoRun({ run, collection, title: words.undoing(name) });
      if (ended === undefined) toast.bad(words.nothingToUndo);
      else if ("error" in ended) toast.bad(words.jobFailed(ended.error));
      else toast.good(words.undone);
    } catch (error) {
      toast.bad(error instanceof Error ? error.message : String(error));
    }
    await renew();
  };
  const report = (operation: Change["operation"], { done, failed, run }: BulkResult) => {
    const action = run !== undefined && { action: { label: words.undo, onPress: () => void undo(run) } };
    if (done > 0) toast.good(operation === "delete" ? words.deletedMany(done) : words.changed(done), { ...action });
    if (failed.length > 0)
      toast.bad(words.someFailed(failed.length), {
        action: { label: words.showFailures, onPress: () => showFailures(failed) },
      });
  };
  const end = (operation: Change["operation"], job: string, ended: JobEnd) => {
    if ("error" in ended) toast.bad(words.jobFailed(ended.error));
    else report(operation, { ...ended.result, ...(hasUndo && { run: job }) });
    void renew();
  };

  /** Resolves when it is done, or accepted as a job. Throws OtherNumber and ApiError. */
  return async (change: Change, { reach, count }: Target): Promise<BulkFailure[]> => {
    const answer = await send(collection, { ...change, ...reach, expect: count });
    if ("job" in answer) {
      const title = change.operation === "delete" ? words.deleting(name) : words.changing(name);
      void followJob({ id: answer.job, collection, title, total: count }).then((ended) =>
        end(change.operation, answer.job, ended),
      );
      return [];
    }
    report(change.operation, answer);
    // Rows that were changed one by one stay where they are; the caller marks them.
    if (change.operation === "delete" || !reach.ids) await renew();
    return answer.failed;
  };
}

async function send(collection: string, body: BulkRequest): Promise<BulkResult | { job: string }> {
  try {
    return await askData<BulkResult | { job: string }>(routes.bulk, { path: { collection }, body });
  } catch (error) {
    const real = error instanceof ApiError && error.status === 412 ? Number(error.details.expect?.[0]) : Number.NaN;
    throw Number.isSafeInteger(real) ? new OtherNumber(real) : error;
  }
}
