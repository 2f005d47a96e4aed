// The versions of an object beyond the number that is kept. The walk follows new records: an object is looked at when it has
// changed, and only where its revision exceeds the number. When fewer versions are to be kept than before, it begins again.

import { yieldToEventLoop } from "#base/event-loop.ts";
import type { Context } from "#context.ts";
import { kindOf } from "#storage/log/change-record.ts";
import { changeContents } from "#storage/tables/history/contents.ts";
import { firstPlace } from "#storage/tables/history/feed.ts";
import {
  findWalk,
  listHeads,
  listKeptOf,
  listPastHeads,
  type PastHead,
  type RecordHead,
  setWalk,
} from "#storage/tables/history/retention.ts";
import { emptied, pauseWork } from "./empty.ts";
import type { Pruning, Retention } from "./keeping.ts";
import { hasherOf } from "./seal-hash.ts";

const name = "versions";
const atOnce = 500;

export async function pruneVersions({ ctx, upTo, keeping }: Pruning): Promise<number> {
  const { storage } = ctx;
  const rule = ruleOf(keeping);
  const found = await findWalk(storage, name);
  let after = found && !isStricter(keeping, found.rule) ? found : firstPlace;
  let done = 0;
  for (;;) {
    const heads = await listHeads(storage, { after, upTo }, atOnce);
    const reached = heads.at(-1);
    if (!reached) return done;
    for (const head of newestOf(heads)) {
      const kept = keeping.versions(head.collection);
      if (head.rid > 0 && head.rev > kept) done += await emptyBeyond(ctx, head, head.rev - kept);
    }
    await storage.write((tx) => setWalk(tx, name, { tx: reached.tx, seq: reached.seq, rule }));
    after = reached;
    await yieldToEventLoop();
  }
}

function ruleOf(keeping: Retention): string {
  const own = keeping.fewer.map((collection) => [collection, keeping.versions(collection)]);
  return JSON.stringify(Object.fromEntries([["", keeping.versions()], ...own]));
}

function isStricter(keeping: Retention, rule: string): boolean {
  const before = JSON.parse(rule) as Record<string, number>;
  const was = (collection: string) => before[collection] ?? before[""] ?? 0;
  return keeping.versions() < was("") || keeping.fewer.some((id) => keeping.versions(id) < was(id));
}

/** The last record of each object. */
function newestOf(heads: readonly RecordHead[]): RecordHead[] {
  return [...new Map(heads.map((head) => [head.rid, head])).values()];
}

/** Of the changes of an object up to a revision. They were taken out from the oldest on: what lies before an empty one is empty. */
async function emptyBeyond(ctx: Context, { rid, seq }: RecordHead, rev: number): Promise<number> {
  const due: PastHead[] = [];
  for (let before = seq + 1; ; ) {
    const heads = await listPastHeads(ctx.storage, rid, before, atOnce);
    const past = heads.filter((head) => head.rev <= rev);
    const end = past.findIndex((head) => head.isEmptied === 1 && kindOf(head.kind) !== "delete");
    due.push(...(end === -1 ? past : past.slice(0, end)).filter(({ isKept }) => isKept === 1));
    const last = heads.at(-1);
    if (!last || end !== -1 || heads.length < atOnce) break;
    before = last.seq;
    await yieldToEventLoop();
  }
  const [newest, oldest] = [due[0], due.at(-1)];
  return newest && oldest ? emptyRange(ctx, rid, { from: oldest.seq, to: newest.seq }) : 0;
}

async function emptyRange(ctx: Context, rid: number, { from, to }: { from: number; to: number }): Promise<number> {
  const hasher = hasherOf(ctx);
  let done = 0;
  for (;;) {
    const began = performance.now();
    const rows = await listKeptOf(ctx.storage, rid, { from, to });
    if (rows.length === 0) return done;
    const changes = rows.map((row) => emptied(hasher, row));
    done += await ctx.storage.write((tx) => changeContents(tx, changes, true));
    await pauseWork(began);
  }
}
