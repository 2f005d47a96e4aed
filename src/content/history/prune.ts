// Takes out of the log what is too old: deleted objects that nobody restored, and the values that changes have replaced. The
// records stay, with the hash of what they had, so that seals still hold. In small parts, so that no writer waits for long.

import { system } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { parseDuration } from "#base/durations.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { isJsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Place } from "#storage/port.ts";
import { forgetDeletion } from "#storage/tables/history/deletions.ts";
import { findEmptied, listKeptDeletions, setEmptied } from "#storage/tables/history/retention.ts";
import { dropContent, findLastSeal, iterateRecords, type SealedRow } from "#storage/tables/history/seals.ts";
import { type Hasher, hasherOf } from "./seal-hash.ts";

const atOnce = 500;
const pruneKind = "history.prune";
const firstAfterMs = 5 * 60_000;
const everyMs = 60 * 60_000;

/** How long a deleted object of this collection can be restored, in milliseconds. */
export function keptInTrash({ settings }: Pick<App, "settings">, collection: Collection | undefined): number {
  const own = collection && isJsonObject(collection.settings.history) ? collection.settings.history.trash : undefined;
  return parseDuration(typeof own === "string" ? own : settings.get("history.trash")) ?? 0;
}

export interface Pruned {
  /** Deleted objects that are gone for good. */
  deletions: number;
  /** Changes whose old values are gone. */
  changes: number;
}

export async function pruneHistory(ctx: Context): Promise<Pruned> {
  allow(ctx, "delete", { kind: "audit" });
  const hasher = hasherOf(ctx);
  return { deletions: await pruneTrash(ctx, hasher), changes: await pruneValues(ctx, hasher) };
}

async function pruneTrash(ctx: Context, hasher: Hasher): Promise<number> {
  const now = ctx.clock.now();
  const kept = new Map<string, number>();
  let done = 0;
  let after = 0;
  for (;;) {
    const deletions = await listKeptDeletions(ctx.storage, after, atOnce);
    for (const { collection } of deletions)
      if (!kept.has(collection)) kept.set(collection, keptInTrash(ctx, await findCollection(ctx, collection)));
    const old = deletions.filter(({ at, collection }) => at < now - (kept.get(collection) ?? 0));
    for (const { seq } of old) {
      await ctx.storage.write((tx) => forgetDeletion(tx, seq, hasher.content));
      await yieldToEventLoop();
    }
    done += old.length;
    const last = deletions.at(-1);
    if (!last || deletions.length < atOnce) return done;
    after = last.seq;
  }
}

/** Only what is sealed, in the order of commits; the place that was reached is stored with each part. */
async function pruneValues(ctx: Context, hasher: Hasher): Promise<number> {
  const until = ctx.clock.now() - (parseDuration(ctx.settings.get("history.keep")) ?? 0);
  const seal = await findLastSeal(ctx.storage);
  if (!seal) return 0;
  let done = 0;
  for (;;) {
    const { reached, emptied } = await readOld(ctx, hasher, { upTo: seal, until });
    if (!reached) return done;
    await ctx.storage.write(async (tx) => {
      for (const { row, hash } of emptied) await dropContent(tx, row, hash);
      await setEmptied(tx, reached);
    });
    done += emptied.length;
    await yieldToEventLoop();
  }
}

interface OldRecords {
  /** The last record of the part; undefined: nothing older is left. */
  reached: Place | undefined;
  emptied: { row: Pick<SealedRow, "seq" | "rid">; hash: string }[];
}

async function readOld(
  ctx: Context,
  hasher: Hasher,
  { upTo, until }: { upTo: Place; until: number },
): Promise<OldRecords> {
  const found: OldRecords = { reached: undefined, emptied: [] };
  const after = await findEmptied(ctx.storage);
  for await (const rows of iterateRecords(ctx.storage, { after, upTo, limit: atOnce })) {
    for (const row of rows) {
      const { tx, seq, rid, at } = row;
      if (at >= until) return found;
      found.reached = { tx, seq };
      if (row.content !== null || row.secrets !== null)
        found.emptied.push({ row: { seq, rid }, hash: hashOf(hasher, row) });
    }
  }
  return found;
}

/** Of the whole content, also where a part of it was taken out before. */
function hashOf(hasher: Hasher, row: SealedRow): string {
  return row.contentHash?.split(".")[0] ?? hasher.content(row);
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
