// 32 writers that patch objects on PostgreSQL, through the storage: of one collection, and each of its own. Beside them the same
// patches without counting and notices, and with a counter in one row and a notice in each commit, as all were at first.

import { createLog } from "#base/log.ts";
import { openStorage } from "#storage/open.ts";
import type { Storage, Tx } from "#storage/port.ts";
import { bumpCounters, insertCollection } from "#storage/tables/collections.ts";
import type { ObjectWrite } from "#storage/tables/object-row.ts";
import { insertObject, updateObject } from "#storage/tables/object-writes.ts";
import { lockObject } from "#storage/tables/objects.ts";
import { startCluster } from "../scripts/postgres.ts";
import type { Row } from "./table.ts";

const writers = 32;
const objectsEach = 20;
const rounds = 3;
/** The last depends on how long a commit takes on the disk; the aim is 3. */
const bars = { one: 0.85, bare: 0.7, before: 1.5 };
const one = "one";
const own = (writer: number) => `own-${writer}`;

type Kind = "one" | "own" | "bare" | "before";
const kinds: readonly Kind[] = ["one", "own", "bare", "before"];

function objectOf(collection: string, id: string, n: number): ObjectWrite {
  const time = new Date().toISOString();
  const idx = JSON.stringify({ title: `Title ${n}`, price: n, status: "open" });
  return {
    ...{ collection, id, created: time, modified: time, schemaRev: "r", secrets: {} },
    doc: JSON.stringify({ id, title: `Title ${n}`, price: n, status: "open", body: "word ".repeat(300) }),
    entry: { idx, fold: idx, title: "title", body: "word word" },
  };
}

async function fill(db: Storage): Promise<void> {
  for (const collection of [one, ...Array.from({ length: writers }, (_, n) => own(n))]) {
    await db.write(async (tx) => {
      const row = { settings: "{}", lastUpdated: "", updated: "", indexedRev: "r" };
      await insertCollection(tx, { id: collection, ...row });
      const count = collection === one ? writers * objectsEach : objectsEach;
      for (let n = 0; n < count; n++)
        await insertObject(tx, { ...objectOf(collection, `o${n}`, n), record: undefined });
    });
  }
}

async function patch(tx: Tx, kind: Kind, { writer, n }: { writer: number; n: number }): Promise<void> {
  const collection = kind === "own" ? own(writer) : one;
  const id = `o${(kind === "own" ? 0 : writer * objectsEach) + (n % objectsEach)}`;
  const found = await lockObject(tx, collection, id);
  if (!found) throw new Error(`there is no ${id}`);
  const { title: _, body: __, ...entry } = objectOf(collection, id, n).entry;
  const write = { ...objectOf(collection, id, n), entry };
  const change = { created: 0, total: 0, lastUpdated: write.modified, schemaRev: "r" };
  // What is touched counts as a notice.
  const silent = { ...tx, touch: () => {} };
  await updateObject(kind === "one" || kind === "own" ? tx : silent, found, { write, record: undefined });
  if (kind === "one" || kind === "own") await bumpCounters(tx, collection, change);
  else if (kind === "before") {
    await tx.run("UPDATE collections SET last_updated = ? WHERE id = ?", [change.lastUpdated, collection]);
    await tx.one("SELECT pg_notify('bench', ?)", [`objects:${collection}`]);
  }
}

/** Patches a second. */
async function measure(all: readonly Storage[], kind: Kind, seconds: number): Promise<number> {
  const began = performance.now();
  const end = began + seconds * 1_000;
  let done = 0;
  const patchOn = async (writer: number) => {
    const db = all[writer % all.length] as Storage;
    for (let n = 0; performance.now() < end; n++) {
      await db.write((tx) => patch(tx, kind, { writer, n }));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => patchOn(writer)));
  return (done * 1_000) / (performance.now() - began);
}

export async function benchWriters(seconds: number, add: (row: Row) => void): Promise<void> {
  const cluster = await startCluster();
  const options = { dataDir: "", databaseUrl: cluster.url, role: "command" as const, log: createLog("silent") };
  const all = [await openStorage(options), await openStorage(options)];
  try {
    await fill(all[0] as Storage);
    const best = new Map<Kind, number>(kinds.map((kind) => [kind, 0]));
    for (const kind of kinds) await measure(all, kind, 1);
    for (let round = 0; round < rounds; round++) {
      for (const kind of kinds) best.set(kind, Math.max(best.get(kind) ?? 0, await measure(all, kind, seconds)));
    }
    const rate = (kind: Kind) => best.get(kind) ?? 0;
    const tell = (workload: string, floor: Kind, bar: number) => {
      const ratio = rate("one") / rate(floor);
      add({
        workload,
        cairn: `${rate("one").toFixed(0)}/s`,
        floor: `${rate(floor).toFixed(0)}/s`,
        ratio: ratio.toFixed(2),
        bar: `>= ${bar}`,
        isMet: ratio >= bar,
      });
    };
    tell("32 writers patching one collection on PostgreSQL, against 32 collections", "own", bars.one);
    tell("- against no counting and no notices", "bare", bars.bare);
    tell("- against a counter in one row and a notice in each commit", "before", bars.before);
  } finally {
    for (const db of all) await db.close();
    await cluster.stop();
  }
}
