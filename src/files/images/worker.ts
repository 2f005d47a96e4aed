// An image process: takes jobs from the pool, one at a time, and answers each. The only place that loads the image libraries.
// A hostile file may end it; only that one job is lost.

import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { CairnError, type ErrorWord, errorCatalogue } from "#base/errors.ts";
import { convertToJpeg } from "./heic.ts";
import { inspectImage } from "./inspect.ts";
import type { Answer, Job, Outcome } from "./jobs.ts";
import { kindOf } from "./kind-of.ts";
import { makeImage } from "./make.ts";
import { prepareSharp } from "./source.ts";

function run(job: Job): Promise<Outcome> {
  switch (job.kind) {
    case "make":
      return makeImage(job);
    case "inspect":
      return inspectImage(job);
    case "to-jpeg":
      return convertToJpeg(job) as Promise<undefined>;
  }
}

/** An unreadable file fails in the job itself. */
async function isDrawing(source: string): Promise<boolean> {
  return (await kindOf(source).catch(() => undefined)) === "drawing";
}

async function answer(job: Job): Promise<Answer> {
  if (!job.isDrawing && job.kind !== "to-jpeg" && (await isDrawing(job.source))) return { kind: "drawing" };
  // A loaded font stays, also when its file is replaced, and may have any name.
  const isSpent = job.kind === "make" && job.recipe.watermarks?.some(({ text }) => text?.font !== undefined) === true;
  try {
    const outcome = await run(job);
    return { kind: "done", outcome, rss: process.memoryUsage.rss(), isSpent };
  } catch (error) {
    return { kind: "failed", ...explain(error), cause: String(error), rss: process.memoryUsage.rss(), isSpent };
  }
}

function explain(error: unknown): { word: ErrorWord; message: string } {
  if (error instanceof CairnError) return { word: error.word, message: error.message };
  const { code } = error as NodeJS.ErrnoException;
  const word = code === "ENOSPC" || code === "EDQUOT" ? "storage-full" : "internal";
  // The image library throws plain errors; others, and those of the system, are not the image's fault.
  const isOfLibrary = code === undefined && Object.getPrototypeOf(error) === Error.prototype;
  return isOfLibrary
    ? { word: "invalid", message: "The image cannot be read." }
    : { word, message: errorCatalogue[word].message };
}

/** Requests have priority on the processor, and when memory is short the kernel kills this process rather than the server. */
function stepBack(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Not every system has the second.
  }
}

stepBack();
prepareSharp();
process.on("message", (job: Job) => {
  void answer(job).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());
// A stop is often signalled to the whole group; the server drains, and needs this process until it is done.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => {});
process.send?.({ kind: "ready" } satisfies Answer);
