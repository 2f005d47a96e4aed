// The indexes that follow what is asked, on every engine.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { operand, type Sample, seed, selectionOf, where } from "#storage/contract-samples.ts";
import type { Asked, Reader, Row, Storage, Value } from "#storage/port.ts";
import { bumpCounters, insertCollection } from "#storage/tables/collections.ts";
import { findByValue } from "#storage/tables/objects.ts";
import {
  buildIndex,
  dropIndexes,
  indexesSettled,
  isIndexComing,
  noteShape,
  noteUnique,
  setIndexing,
  type WantedIndex,
  wantIndex,
} from "./indexes.ts";
import { answerLater } from "./questions.ts";
import { countSelected, positionOf, type SelectedObject, selectObjects } from "./select.ts";
import type { Selection } from "./selection.ts";

const total = 2_500;
const status = operand("status", "text");
const price = operand("price", "number");
const states = ["Open", "Closed", "Void", "New"];

const samples: Sample[] = Array.from({ length: total }, (_, n) => ({
  id: `item-${String((n * 7919) % 10_007).padStart(5, "0")}`,
  idx: { status: states[n % 4] ?? "", ...(n % 10 !== 0 && { price: (n * 31) % 100 }), color: `c${n % 5}` },
  ...(n % 9 === 0 && { more: { draft: true } }),
}));

const hurried = { restFactor: 0, betweenMs: 0, quietMs: 0, patienceMs: 0 };

function bumpBy(db: Storage, collection: string, total: number): Promise<void> {
  return db.write((tx) => bumpCounters(tx, collection, { created: 0, total, lastUpdated: "" }));
}

export function indexContract(database: () => Storage): void {
  const open = selectionOf("large", { include: [where(status, "eq", "open")] });
  const upwards = { ...open, sort: [{ operand: price, descending: false }] };
  const downwards = { ...open, sort: [{ operand: price, descending: true }] };

  before(async () => {
    setIndexing(database(), { pace: hurried });
    for (const [collection, objects] of [
      ["large", samples],
      ["small", samples.slice(0, 100)],
    ] as const) {
      await seed(database(), collection, objects);
      await database().write(async (tx) => {
        await insertCollection(tx, { id: collection, settings: "{}", lastUpdated: "", updated: "", indexedRev: "" });
        await bumpCounters(tx, collection, { created: objects.length, total: objects.length, lastUpdated: "" });
      });
    }
  });

  async function names(): Promise<string[]> {
    const rows = await database().all<{ name: string }>(database().dialect.indexes.list);
    return rows.map(({ name }) => name).filter((name) => name.startsWith("shape_"));
  }

  async function ask(selection: Selection, times: number): Promise<void> {
    for (let n = 0; n < times; n++) noteShape(database(), selection);
    await indexesSettled(database());
  }

  async function pageIds(selection: Selection, offset: number): Promise<string[]> {
    return (await selectObjects(database(), selection, { limit: 40, offset })).map((row) => row.id);
  }

  test("STO-29 only a repeated query of a large collection gets an index", async () => {
    await ask(upwards, 1);
    assert.equal((await names()).length, 0);
    await ask({ ...upwards, collection: "small" }, 5);
    assert.equal((await names()).length, 0);
    await ask(selectionOf("large"), 5);
    assert.equal((await names()).length, 0);
    assert.equal(isIndexComing(database(), upwards), false);
    const asked = ask(upwards, 1);
    assert.equal(isIndexComing(database(), upwards), true);
    await asked;
    assert.equal(isIndexComing(database(), upwards), false);
    assert.equal((await names()).length, 1);
    await ask(upwards, 5);
    assert.equal((await names()).length, 1);
  });

  test("STO-32 answers are the same with and without indexes", async () => {
    const shapes = [upwards, downwards, { ...upwards, hideDrafts: true }, { ...downwards, hideDrafts: true }, open];
    const offsets = [0, 300, 540, 600];
    const answers = () => Promise.all(shapes.flatMap((shape) => offsets.map((offset) => pageIds(shape, offset))));
    const counts = () => Promise.all(shapes.map((shape) => countSelected(database(), shape)));
    await dropIndexes(database(), "large");
    const without = [await answers(), await counts()];
    for (const shape of shapes) await ask(shape, 2);
    assert.equal((await names()).length, shapes.length);
    assert.deepEqual([await answers(), await counts()], without);
    assert.equal(without[1]?.[0], total / 4);
  });

  test("STO-30, STO-18 a page, and going on from it, walks the index without a sort", async () => {
    for (const shape of [upwards, downwards, { ...upwards, hideDrafts: true }]) {
      await ask(shape, 2);
      const rows = await selectObjects(database(), shape, { limit: 3, offset: 20 });
      const after = positionOf(shape, rows[2] as SelectedObject);
      for (const page of [
        { limit: 3, offset: 0 },
        { limit: 3, offset: 0, after },
      ]) {
        const plan = await planOf(database(), (db) => selectObjects(db, shape, page));
        assert.match(plan, /shape_/);
        assert.doesNotMatch(plan, /TEMP B-TREE|Sort Key: .*jsonb/);
      }
    }
  });

  test("STO-30 the look for another object with the same value goes by an index", async () => {
    for (let n = 0; n < 2; n++) noteUnique(database(), "large", "color", "text");
    await indexesSettled(database());
    const where = { collection: "large", property: "color", exceptId: "none" };
    assert.match(await planOf(database(), (db) => findByValue(db, where, "c1")), /shape_/);
  });

  test("STO-94 where no index helps, the embedded engine goes by one that all share, or by the table", async (t) => {
    const db = database();
    if (db.dialect.label !== "sqlite") return t.assert.ok(true, "the server's planner knows how large things are");
    await dropIndexes(db, "large");
    await ask(upwards, 2);
    const color = operand("color", "text");
    const other = (collection: string) =>
      selectionOf(collection, { include: [where(color, "contains", "c")], hideDrafts: true });
    await ask(other("large"), 1);
    await ask(other("small"), 1);
    const total = (collection: string) => scanOf(db, () => countSelected(db, other(collection)));
    assert.match(await total("large"), /^SCAN object_index$/m);
    assert.match(await total("small"), /USING INDEX object_index_id/);
    const page = (more: Partial<Selection>) =>
      scanOf(db, () => selectObjects(db, { ...other("large"), ...more }, { limit: 3, offset: 0 }));
    const created = operand("created", "date", "column");
    const byId = await page({});
    assert.match(byId, /USING INDEX object_index_id/);
    const newest = await page({ sort: [{ operand: created, descending: true }] });
    assert.match(newest, /USING INDEX object_index_created/);
    assert.doesNotMatch(byId + newest, /TEMP B-TREE FOR ORDER BY\n.*object_index USING/);
    assert.match(await page({ sort: [{ operand: color, descending: false }] }), /SCAN object_index/);
    // An index of another shape that begins with what is asked helps.
    const more = { include: [where(status, "eq", "open"), where(color, "contains", "c")] };
    await ask(selectionOf("large", more), 1);
    assert.match(await scanOf(db, () => countSelected(db, selectionOf("large", more))), /shape_/);
    // So does one that a command built, or that was there before: nobody has asked its shape.
    await dropIndexes(db, "large");
    await buildIndex(db, downwards);
    await ask(upwards, 1);
    assert.match(await scanOf(db, () => countSelected(db, upwards)), /shape_/);
    assert.match(await scanOf(db, () => countSelected(db, { ...upwards, hideDrafts: true })), /shape_/);
    await ask(other("large"), 1);
    assert.match(await total("large"), /^SCAN object_index$/m);
    assert.equal(await countSelected(db, other("small")), samples.slice(0, 100).filter(({ more }) => !more).length);
  });

  const cheapOrOpen = { any: [where(status, "eq", "open"), where(price, "lt", 5)] };
  const either = selectionOf("large", { groups: [cheapOrOpen], sort: [{ operand: price, descending: false }] });

  test("STO-120 the embedded engine decides a group of conditions by an index that carries them", async (t) => {
    const db = database();
    if (!db.dialect.indexes.carries) return t.assert.ok(true, "STO-121");
    await dropIndexes(db, "large");
    const plans = () =>
      Promise.all([
        planOf(db, (asked) => selectObjects(asked, either, { limit: 3, offset: 20 })),
        planOf(db, (asked) => countSelected(asked, either)),
      ]);
    const answers = async () => [await pageIds(either, 0), await pageIds(either, 600), await countSelected(db, either)];
    const without = await answers();
    assert.equal(without[2], samples.filter(({ idx }) => idx?.status === "Open" || Number(idx?.price ?? 5) < 5).length);
    await ask(either, 9);
    assert.deepEqual(await names(), []);
    await ask(either, 1);
    assert.equal((await names()).length, 1);
    for (const plan of await plans()) {
      assert.match(plan, /COVERING INDEX shape_/);
      assert.doesNotMatch(plan, /TEMP B-TREE/);
    }
    assert.deepEqual(await answers(), without);
    // One condition that has to be read elsewhere: the index is for the order alone, as without a group.
    const text = { any: [...cheapOrOpen.any, where(operand("color", "text"), "contains", "c")] };
    await ask({ ...either, groups: [text] }, 2);
    assert.equal((await names()).length, 2);
    await ask({ ...either, groups: [] }, 2);
    assert.equal((await names()).length, 2);
  });

  test("STO-121 PostgreSQL gets an index for each condition of a group of which one must hold", async (t) => {
    const db = database();
    if (db.dialect.indexes.carries) return t.assert.ok(true, "STO-120");
    await dropIndexes(db, "large");
    const total = await countSelected(db, either);
    await ask(either, 10);
    // That of the order begins with the price, so it serves the condition on the price as well.
    assert.equal((await names()).length, 2);
    await db.all("ANALYZE object_index");
    assert.match(await planOf(db, (asked) => countSelected(asked, either)), /BitmapOr/);
    assert.equal(await countSelected(db, either), total);
    await dropIndexes(db, "large");
    const text = { any: [...cheapOrOpen.any, where(operand("color", "text"), "contains", "c")] };
    await ask({ ...either, groups: [text] }, 10);
    assert.equal((await names()).length, 1);
  });

  test("STO-95 shapes that only the public asks have to come often, and get few indexes", async () => {
    await dropIndexes(database(), "large");
    const shape = (n: number, more: Partial<Selection> = {}) =>
      selectionOf("large", { include: [where(operand(`open-${n}`, "text"), "eq", "x")], ...more });
    await ask(shape(0, { isPublic: true }), 9);
    assert.equal((await names()).length, 0);
    for (let n = 0; n < 7; n++) await ask(shape(n, { isPublic: true }), 10);
    assert.equal((await names()).length, 4);
    for (let n = 10; n < 18; n++) await ask(shape(n), 2);
    const full = await names();
    assert.equal(full.length, 12);
    // One that comes new takes the place of another of the public, and of nobody else.
    await ask(shape(7, { isPublic: true }), 10);
    const after = await names();
    assert.equal(after.length, 12);
    assert.equal(full.filter((name) => !after.includes(name)).length, 1);
    for (let n = 10; n < 18; n++) await ask(shape(n), 2);
    assert.deepEqual(await names(), after);
  });

  test("STO-96 builds come one at a time, and where they block writers, when nothing is written", async () => {
    const db = database();
    await dropIndexes(db, "large");
    const shape = (n: number) => selectionOf("large", { include: [where(operand(`slow-${n}`, "text"), "eq", "x")] });
    // Nothing is ever quiet for so long.
    setIndexing(db, { pace: { restFactor: 0, betweenMs: 0, quietMs: 3_600_000, patienceMs: 3_600_000 } });
    await db.write((tx) => tx.run("UPDATE collections SET updated = '' WHERE id = 'large'"));
    for (let n = 0; n < 2; n++) noteShape(db, shape(1));
    if (db.lastCommit) {
      await db.all("SELECT 1");
      assert.equal((await names()).length, 0);
      // A collection that goes does not wait for builds that will never be.
      await dropIndexes(db, "large");
    } else {
      await indexesSettled(db);
      assert.equal((await names()).length, 1);
    }
    setIndexing(db, { pace: hurried });
  });

  test("STO-127 an index that writes need is built while they go on, and for smaller collections", async () => {
    const db = database();
    const grow = (total: number) => bumpBy(db, "small", total);
    const write = () => {
      for (let n = 0; n < 100; n++) noteUnique(db, "small", "color", "text");
      return indexesSettled(db);
    };
    setIndexing(db, { pace: { restFactor: 0, betweenMs: 0, quietMs: 3_600_000, patienceMs: 3_600_000 } });
    const before = (await names()).length;
    await write();
    assert.equal((await names()).length, before);
    await grow(300);
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await grow(0);
    })();
    await write();
    isOver = true;
    await writing;
    assert.equal((await names()).length, before + 1);
    await dropIndexes(db, "small");
    await grow(-300);
    setIndexing(db, { pace: hurried });
  });

  test("STO-128 a build that failed is tried again, but not before a rest", async () => {
    const real = database();
    let tries = 0;
    const db: Storage = Object.assign(Object.create(real), {
      maintain: (sql: string) => (++tries === 1 ? Promise.reject(new Error("locked")) : real.maintain(sql)),
    });
    const needIndex = async (property: string) => {
      for (let n = 0; n < 10; n++) noteUnique(db, "large", property, "text");
      await indexesSettled(db);
    };
    const before = (await names()).length;
    setIndexing(db, { pace: { ...hurried, betweenMs: 3_600_000 } });
    await needIndex("early");
    await needIndex("early");
    assert.equal(tries, 1);
    tries = 0;
    setIndexing(db, { pace: hurried });
    await needIndex("late");
    assert.equal((await names()).length, before);
    await needIndex("late");
    assert.equal((await names()).length, before + 1);
    await dropIndexes(real, "large");
  });

  test("STO-97 the largest collections of the embedded engine get an index by command alone", async () => {
    const db = database();
    const bump = (total: number) => bumpBy(db, "large", total);
    await dropIndexes(db, "large");
    await bump(5_000_000);
    const commands: string[] = [];
    setIndexing(db, { leave: (left) => commands.push(left.command) });
    const asked = { ...downwards, hideDrafts: true };
    await ask(asked, 2);
    const command = "cairn index:build large --equal status --sort price:desc --public";
    if (db.lastCommit) {
      assert.equal((await names()).length, 0);
      assert.deepEqual(commands, [command]);
      assert.equal(await buildIndex(db, asked), true);
    }
    assert.equal((await names()).length, 1);
    assert.equal(await buildIndex(db, asked), false);
    if (db.dialect.indexes.carries) {
      await ask(either, 10);
      assert.equal(commands[1], "cairn index:build large --sort price --carry status");
    }
    await bump(-5_000_000);
  });

  test("STO-129 a process that only reads uses what the one that writes has built for it", async (t) => {
    const writer = database();
    if (writer.dialect.label !== "sqlite") return t.assert.ok(true, "every process of PostgreSQL writes");
    await dropIndexes(writer, "large");
    let wanted = 0;
    const call = async (_name: string, body?: unknown) => {
      wanted += 1;
      wantIndex(writer, body as WantedIndex);
      await indexesSettled(writer);
    };
    const reader: Storage = { ...writer, line: { call } };
    const askReader = async () => {
      noteShape(reader, downwards);
      await indexesSettled(reader);
      return scanOf(reader, () => selectObjects(reader, downwards, { limit: 3, offset: 0 }));
    };
    assert.doesNotMatch(await askReader(), /shape_/);
    await until(async () => /shape_/.test(await askReader()));
    assert.equal(wanted, 1);
    assert.equal(isIndexComing(reader, downwards), false);
  });

  test("STO-31 the least recently used goes first, and none outlives its collection", async () => {
    await dropIndexes(database(), "large");
    const shape = (n: number) =>
      selectionOf("large", { include: [where(operand(`property-${n}`, "text"), "eq", "x")] });
    for (let n = 0; n < 12; n++) await ask(shape(n), 2);
    const before = await names();
    assert.equal(before.length, 12);
    await ask(shape(0), 1);
    await ask(shape(12), 2);
    const after = await names();
    assert.equal(after.length, 12);
    const dropped = before.filter((name) => !after.includes(name));
    assert.deepEqual(dropped, [before.find((name) => dropped.includes(name))]);
    // The first was asked again, so it was the second that went: asking it builds it anew.
    await ask(shape(1), 2);
    assert.deepEqual((await names()).includes(dropped[0] ?? ""), true);
    await dropIndexes(database(), "large");
    assert.deepEqual(await names(), []);
  });
}

/** How the embedded engine would run the first statement that is asked of this very storage, whose indexes are known. */
async function scanOf(db: Storage, work: () => Promise<unknown>): Promise<string> {
  const { ask } = db;
  let plan = "";
  db.ask = (question) =>
    answerLater(question, async ({ sql, params }) => {
      // A plan alone would not notice that there are new indexes.
      await db.all("SELECT 1 FROM object_index LIMIT 1");
      plan ||= (await db.all(`EXPLAIN QUERY PLAN ${sql}`, params)).map(({ detail }) => detail).join("\n");
      return [];
    });
  try {
    await work();
  } finally {
    db.ask = ask;
  }
  return plan;
}

/** How the engine would run the first statement that the work asks. */
async function planOf(db: Storage, work: (db: Reader & Asked) => Promise<unknown>): Promise<string> {
  const explain = db.dialect.label === "sqlite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
  let plan = "";
  const all = async <T = Row>(sql: string, params?: readonly Value[]): Promise<T[]> => {
    if (plan === "")
      plan = (await db.all(`${explain} ${sql}`, params)).map((row) => Object.values(row).join(" ")).join("\n");
    return [];
  };
  await work({
    dialect: db.dialect,
    all,
    one: async <T>(sql: string, params?: readonly Value[]) => (await all<T>(sql, params))[0],
    ask: (question) => answerLater(question, ({ sql, params }) => all(sql, params)),
  });
  return plan;
}
