// Seals the log: a job takes the next records in the order of commits, once they are two minutes old, and chains the hash of
// each range to the one before. Once an hour the last root goes to the audit log and to webhooks, so that what others have seen
// cannot be rewritten. Verifying reads all ranges again, and names each record that is not as it was sealed.

import { system } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { createPause } from "#base/event-loop.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Place } from "#storage/port.ts";
import { countBytes, lockBytes } from "#storage/tables/history/contents.ts";
import { firstPlace } from "#storage/tables/history/feed.ts";
import { sumRange } from "#storage/tables/history/retention.ts";
import {
  findLastSeal,
  insertSeal,
  iterateRecords,
  listSeals,
  type SealedRow,
  type SealRow,
} from "#storage/tables/history/seals.ts";
import { type NotedChange, noteOlder, noteWriters } from "#storage/tables/history/writer-ranges.ts";
import { findWriters } from "#storage/tables/history/writers.ts";
import { pauseWork } from "./empty.ts";
import { type Hasher, hasherOf, markOf, marksOf, splitMarks } from "./seal-hash.ts";

const rangeSize = 500;
const notedAtOnce = 4;
const settleMs = 120_000;
const minute = 60_000;
const hour = 60 * minute;
const looksAfterChange = 4;
const sealKind = "history.seal";
/** Beyond this many they are read again. */
const maxWriters = 10_000;

/** Seals what is old enough; returns how many records. */
export async function sealChanges(app: App, olderThan = settleMs): Promise<number> {
  const hasher = hasherOf(app);
  await noteSealed(app);
  let done = 0;
  for (;;) {
    const began = performance.now();
    const last = await findLastSeal(app.storage);
    const records = await nextRecords(app, hasher, { after: last ?? firstPlace, until: app.clock.now() - olderThan });
    const end = records.at(-1);
    if (!end) return done;
    const hashes = records.map(({ hash }) => hash);
    const rangeHash = hasher.range(hashes);
    const seal: SealRow = {
      ...{ number: (last?.number ?? 0) + 1, tx: end.tx, seq: end.seq, records: records.length, rangeHash },
      root: hasher.root(last?.root ?? "", rangeHash, records.length),
      ...{ at: app.clock.now(), newest: Math.max(...records.map(({ at }) => at)), pruned: 0, marks: marksOf(hashes) },
    };
    const { number, root } = seal;
    const isHour = last === undefined || Math.floor(last.at / hour) < Math.floor(seal.at / hour);
    const isStored = await app.storage.write(async (tx) => {
      // Another process may have been faster.
      await lockBytes(tx);
      if (!(await insertSeal(tx, seal))) return false;
      await noteWriters(tx, number, records);
      await countBytes(tx, await sumRange(tx, { after: last ?? firstPlace, upTo: end }));
      if (isHour) await app.reactions.run(tx, { type: "history.sealed", number, root });
      return true;
    });
    if (isStored) done += records.length;
    if (isStored && isHour) audit(contextFor(app, system), { type: "history.sealed", details: { number, root } });
    // What is left is too new.
    if (records.length < rangeSize) return done;
    await pauseWork(began);
  }
}

/** Seals whose writers are not noted: of a restored backup, or by a server that does not note them. */
async function noteSealed({ storage }: App): Promise<void> {
  for (;;) {
    const began = performance.now();
    if ((await noteOlder(storage, notedAtOnce)) === 0) return;
    await pauseWork(began);
  }
}

interface Hashed extends NotedChange {
  hash: string;
}

async function nextRecords(
  app: App,
  hasher: Hasher,
  { after, until }: { after: Place; until: number },
): Promise<Hashed[]> {
  const records: Hashed[] = [];
  const writers = writerHashes(app, hasher);
  const pause = createPause();
  for await (const rows of iterateRecords(app.storage, { after, limit: rangeSize })) {
    const by = await writers(rows);
    for (const row of rows) {
      const { tx, seq, at, writer } = row;
      if (at > until) return records;
      // A record whose rest does not fit is sealed as it is found: it was damaged before.
      records.push({ tx, seq, at, writer, hash: hasher.record(row, by.get(writer)) ?? hasher.content(row) });
      await pause();
    }
  }
  return records;
}

/** The hashes of the writers of some records, by their numbers. */
type WriterHashes = (rows: readonly SealedRow[]) => Promise<ReadonlyMap<number, string | undefined>>;

function writerHashes({ storage }: Pick<App, "storage">, hasher: Hasher): WriterHashes {
  const known = new Map<number, string | undefined>();
  return async (rows) => {
    const missing = [...new Set(rows.map(({ writer }) => writer))].filter((writer) => !known.has(writer));
    if (missing.length === 0) return known;
    if (known.size > maxWriters) known.clear();
    const found = new Map((await findWriters(storage, missing)).map((writer) => [writer.id, writer]));
    for (const writer of missing) known.set(writer, hasher.writer(found.get(writer)));
    return known;
  };
}

/** Looks every minute for changes to seal, until three minutes after the last one. Returns a function that stops it. */
export function startSealing(app: App): () => void {
  let seen = -1;
  let left = 0;
  const timer = setInterval(() => {
    const version = app.storage.version("changes");
    if (version !== seen) left = looksAfterChange;
    seen = version;
    if (left === 0) return;
    left -= 1;
    app.storage
      .write((tx) => enqueue(tx, { kind: sealKind, key: sealKind, payload: {} }))
      .catch((error) => app.log.warn({ err: error }, "the log of changes will be sealed later"));
  }, minute).unref();
  return () => clearInterval(timer);
}

export function handleSealing(app: App): void {
  app.jobs.handle(sealKind, async () => ({ records: await sealChanges(app) }), { concurrency: 1, keep: 1 });
}

export interface Finding {
  what: "altered" | "added" | "removed" | "moved" | "seal";
  /** The number of the seal. */
  seal: number;
  /** The number of the change, where there is one. */
  change?: string;
}

export interface Verified {
  seals: number;
  records: number;
  /** The last root: it must be the one that the audit log and webhooks have seen. */
  root: string;
  findings: Finding[];
}

const maxFindings = 1_000;

export async function verifyHistory(ctx: Context): Promise<Verified> {
  allow(ctx, "read", { kind: "audit" });
  const hasher = hasherOf(ctx);
  const writers = writerHashes(ctx, hasher);
  const result: Verified = { seals: 0, records: 0, root: "", findings: [] };
  let after: Place = firstPlace;
  for (;;) {
    const seals = await listSeals(ctx.storage, result.seals, 20);
    if (seals.length === 0) return result;
    for (const seal of seals) {
      result.seals += 1;
      const isNext = seal.number === result.seals;
      const hasRoot = seal.root === hasher.root(result.root, seal.rangeHash, seal.records);
      if (!isNext || !hasRoot) result.findings.push({ what: "seal", seal: seal.number });
      result.seals = seal.number;
      result.root = seal.root;
      result.records += await verifyRange(ctx, { hasher, writers, seal, after, findings: result.findings });
      after = { tx: seal.tx, seq: seal.seq };
      if (result.findings.length >= maxFindings) return result;
    }
  }
}

interface Range {
  hasher: Hasher;
  writers: WriterHashes;
  seal: SealRow;
  after: Place;
  findings: Finding[];
}

/** Returns how many records it has now. */
async function verifyRange(ctx: Context, { hasher, writers, seal, after, findings }: Range): Promise<number> {
  const rows: Found[] = [];
  for await (const part of iterateRecords(ctx.storage, { after, upTo: seal, limit: maxFindings })) {
    const by = await writers(part);
    for (const row of part) rows.push({ change: String(row.seq), hash: hasher.record(row, by.get(row.writer)) });
  }
  // Only the retention can say so: it holds the key.
  if (seal.pruned === 1 && rows.length === 0 && seal.marks === hasher.removed(seal.number, seal.root)) return 0;
  const hashes = rows.flatMap(({ hash }) => hash ?? []);
  if (hashes.length === rows.length && hasher.range(hashes) === seal.rangeHash) return rows.length;
  const found = compare(seal, rows);
  findings.push(...(found.length > 0 ? found : [{ what: "seal" as const, seal: seal.number }]));
  return rows.length;
}

interface Found {
  change: string;
  hash: string | undefined;
}

function compare(seal: SealRow, rows: readonly Found[]): Finding[] {
  const sealed = splitMarks(seal.marks);
  const now = rows.map(({ hash }) => markOf(hash));
  const [known, present] = [new Set(sealed), new Set(now)];
  // Records that are as they were, in the order of the seal.
  const kept = sealed.filter((mark) => present.has(mark));
  const order = now.filter((mark) => known.has(mark));
  const missing = sealed.filter((mark) => !present.has(mark)).length;
  let unknown = 0;
  const findings: Finding[] = [];
  for (const [at, mark] of now.entries()) {
    const change = rows[at]?.change ?? "";
    if (known.has(mark)) {
      if (kept[order.indexOf(mark)] !== mark) findings.push({ what: "moved", seal: seal.number, change });
      continue;
    }
    unknown += 1;
    findings.push({ what: unknown <= missing ? "altered" : "added", seal: seal.number, change });
  }
  for (let n = unknown; n < missing; n += 1) findings.push({ what: "removed", seal: seal.number });
  return findings;
}
