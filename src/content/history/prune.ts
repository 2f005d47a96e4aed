// Takes out of the log what is not kept any more: deleted objects that nobody restored, values that changes have replaced, and
// whole ranges of old records. Records that stay keep the hash of what they had, so that seals still hold. In small parts, with
// a pause after each, and only what is sealed.

import { system } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { parseDuration } from "#base/durations.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { enqueue } from "#jobs/enqueue.ts";
import { findOldestRange, removeRange } from "#storage/tables/history/retention.ts";
import { findLastSeal } from "#storage/tables/history/seals.ts";
import { pauseWork } from "./empty.ts";
import { type Pruning, readRetention } from "./keeping.ts";
import { pruneBytes, pruneTrash, pruneValues } from "./prune-contents.ts";
import { pruneVersions } from "./prune-versions.ts";
import { hasherOf } from "./seal-hash.ts";

const lookedAtOnce = 500;
const deletedAtOnce = 50;
const pruneKind = "history.prune";
const firstAfterMs = 5 * 60_000;
const everyMs = 60 * 60_000;

export interface Pruned {
  /** Deleted objects that are gone for good. */
  deletions: number;
  /** Changes whose old values are gone. */
  changes: number;
  /** Records that are gone as a whole. */
  records: number;
  /** Files that objects had lost and that are gone now. */
  files: number;
}

export async function pruneHistory(ctx: Context): Promise<Pruned> {
  allow(ctx, "delete", { kind: "audit" });
  return { ...(await pruneLog(ctx)), files: await pruneFiles(ctx) };
}

async function pruneLog(ctx: Context): Promise<Omit<Pruned, "files">> {
  const upTo = await findLastSeal(ctx.storage);
  if (!upTo) return { deletions: 0, changes: 0, records: 0 };
  const work: Pruning = { ctx, upTo, keeping: await readRetention(ctx) };
  const records = await pruneRecords(work);
  const deletions = await pruneTrash(work);
  const changes = (await pruneValues(work)) + (await pruneVersions(work)) + (await pruneBytes(work));
  return { deletions, changes, records };
}

/** By age alone: nothing counts who still names them. */
async function pruneFiles({ files, settings, clock }: Context): Promise<number> {
  const until = clock.now() - (parseDuration(settings.get("history.files")) ?? 0);
  let looked = 0;
  let done = 0;
  let began = performance.now();
  const pause = async () => {
    await pauseWork(began);
    began = performance.now();
  };
  for await (const { key, modified } of files.attic.list()) {
    looked += 1;
    if (looked % lookedAtOnce === 0) await pause();
    if (modified > until) continue;
    await files.attic.delete(key);
    done += 1;
    if (done % deletedAtOnce === 0) await pause();
  }
  return done;
}

/** Whole ranges; their seals stay. */
async function pruneRecords({ ctx, keeping }: Pruning): Promise<number> {
  const hasher = hasherOf(ctx);
  // What is promised longer is kept longer.
  const until = ctx.clock.now() - Math.max(keeping.records, keeping.keep(), keeping.trash());
  let done = 0;
  for (;;) {
    const began = performance.now();
    const range = await findOldestRange(ctx.storage);
    if (!range || range.seal.newest >= until) return done;
    const { after, upTo, seal } = range;
    const mark = hasher.removed(seal.number, seal.root);
    done += await ctx.storage.write((tx) => removeRange(tx, { after, upTo, number: seal.number, mark }));
    await pauseWork(began);
  }
}

/** Once an hour. Returns a function that stops it. */
export function startPruning(app: App): () => void {
  const ask = () => {
    app.storage
      .write((tx) => enqueue(tx, { kind: pruneKind, key: pruneKind, payload: {} }))
      .catch((error) => app.log.warn({ err: error }, "old versions will be removed later"));
  };
  const first = setTimeout(ask, firstAfterMs).unref();
  const timer = setInterval(ask, everyMs).unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

export function handlePruning(app: App): void {
  const prune = async () => ({ ...(await pruneHistory(contextFor(app, system))) });
  app.jobs.handle(pruneKind, prune, { concurrency: 1, keep: 1 });
}
