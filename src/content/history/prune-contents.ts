// The contents that the log no longer keeps because of their age or their size: deletions, replaced values, and the oldest of
// both while all of them take up too much. Each walk stores the place that it reached with each part of its work.

import { yieldToEventLoop } from "#base/event-loop.ts";
import type { Context } from "#context.ts";
import type { Place } from "#storage/port.ts";
import { type ContentChange, changeContents, readBytes } from "#storage/tables/history/contents.ts";
import { findKeptDeletion } from "#storage/tables/history/deletions.ts";
import { firstPlace } from "#storage/tables/history/feed.ts";
import {
  endWalk,
  findTrashAfter,
  findWalk,
  iterateKept,
  listHeads,
  listKeptDeletions,
  listWalks,
  type RecordHead,
  setWalk,
} from "#storage/tables/history/retention.ts";
import { clearAttic } from "./attic.ts";
import { emptied, pauseWork } from "./empty.ts";
import type { Pruning } from "./keeping.ts";
import { hasherOf } from "./seal-hash.ts";

/** Records that are looked at, and emptied, together. */
export const atOnce = 500;

/** Deletions by collection, oldest first, as far as they are due. */
export async function pruneTrash({ ctx, upTo, keeping }: Pruning): Promise<number> {
  const { storage } = ctx;
  const hasher = hasherOf(ctx);
  let done = 0;
  let collection = await findTrashAfter(storage, "");
  for (; collection !== undefined; collection = await findTrashAfter(storage, collection)) {
    const until = ctx.clock.now() - keeping.trash(collection);
    for (let after = 0; ; ) {
      const began = performance.now();
      const found = await listKeptDeletions(storage, collection, { after, upTo, limit: atOnce });
      const due = found.filter(({ at }) => at < until);
      for (const { seq } of due) {
        const row = await findKeptDeletion(storage, seq);
        if (row) done += await storage.write((tx) => changeContents(tx, [emptied(hasher, row)], true));
        await yieldToEventLoop();
      }
      await clearAttic(ctx, due);
      after = found.at(-1)?.seq ?? after;
      if (due.length < atOnce) break;
      await pauseWork(began);
    }
  }
  return done;
}

/** Values that changes have replaced: of the installation, and of each collection that keeps them for a shorter time. */
export async function pruneValues(work: Pruning): Promise<number> {
  const { ctx, keeping } = work;
  const own = keeping.shorter.map((collection) => ({ name: `keep:${collection}`, collection }));
  for (const name of await listWalks(ctx.storage, "keep:"))
    if (!own.some((walk) => walk.name === name)) await ctx.storage.write((tx) => endWalk(tx, name));
  let done = await pruneOld(work, { name: "keep" });
  for (const walk of own) done += await pruneOld(work, walk);
  return done;
}

interface ValueWalk {
  name: string;
  collection?: string;
}

async function pruneOld({ ctx, upTo, keeping }: Pruning, { name, collection }: ValueWalk): Promise<number> {
  const hasher = hasherOf(ctx);
  const until = ctx.clock.now() - keeping.keep(collection);
  const of = collection === undefined ? {} : { collection };
  const isMeant = (head: RecordHead) => collection === undefined || head.collection === collection;
  let done = 0;
  for (;;) {
    const began = performance.now();
    const after = (await findWalk(ctx.storage, name)) ?? firstPlace;
    const heads = await listHeads(ctx.storage, { after, upTo }, atOnce);
    const late = heads.findIndex(({ at }) => at >= until);
    const due = late === -1 ? heads : heads.slice(0, late);
    const reached = due.at(-1);
    if (!reached) return done;
    const changes: ContentChange[] = [];
    if (due.some((head) => head.isKept === 1 && isMeant(head)))
      for await (const rows of iterateKept(ctx.storage, { after, upTo: reached }, of))
        changes.push(...rows.map((row) => emptied(hasher, row)));
    done += await emptyUpTo({ ctx, began, name, reached, changes });
    if (late !== -1) return done;
  }
}

/** The oldest contents, while all of them together take up too much. */
export async function pruneBytes({ ctx, upTo, keeping }: Pruning): Promise<number> {
  const hasher = hasherOf(ctx);
  const { maxBytes } = keeping;
  let done = 0;
  for (;;) {
    const began = performance.now();
    let over = maxBytes === 0 ? 0 : (await readBytes(ctx.storage)) - maxBytes;
    if (over <= 0) return done;
    const after = (await findWalk(ctx.storage, "bytes")) ?? firstPlace;
    const heads = await listHeads(ctx.storage, { after, upTo }, atOnce);
    let reached = heads.at(-1);
    if (!reached) return done;
    const changes: ContentChange[] = [];
    for await (const rows of iterateKept(ctx.storage, { after, upTo: reached }, { isAll: true })) {
      for (const row of rows) {
        if (over <= 0) break;
        const change = emptied(hasher, row);
        changes.push(change);
        over -= change.bytes;
      }
    }
    // Only as far as it was needed.
    if (over <= 0) reached = heads.find(({ seq }) => seq === changes.at(-1)?.seq) ?? reached;
    done += await emptyUpTo({ ctx, began, name: "bytes", reached, changes });
  }
}

interface Part {
  ctx: Context;
  began: number;
  name: string;
  reached: Place;
  changes: ContentChange[];
}

/** What moved meanwhile is looked at once more: then the walk stays where it is. */
async function emptyUpTo({ ctx, began, name, reached, changes }: Part): Promise<number> {
  const done = await ctx.storage.write(async (tx) => {
    const count = changes.length === 0 ? 0 : await changeContents(tx, changes, true);
    if (count === changes.length) await setWalk(tx, name, { tx: reached.tx, seq: reached.seq, rule: "" });
    return count;
  });
  await (changes.length > 0 ? pauseWork(began) : yieldToEventLoop());
  return done;
}
