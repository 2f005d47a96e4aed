// The indexes that follow what is asked, on every engine.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { bumpCounters, insertCollection } from "./collections.ts";
import { operand, type Sample, seed, selectionOf, where } from "./contract-samples.ts";
import { dropIndexes, indexesSettled, noteShape, noteUnique } from "./indexes.ts";
import { findByValue } from "./objects.ts";
import type { Asked, Reader, Row, Storage, Value } from "./port.ts";
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

export function indexContract(database: () => Storage): void {
  const open = selectionOf("large", { include: [where(status, "eq", "open")] });
  const upwards = { ...open, sort: [{ operand: price, descending: false }] };
  const downwards = { ...open, sort: [{ operand: price, descending: true }] };

  before(async () => {
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

  test("STO-29 only what is asked twice of a large collection gets an index", async () => {
    await ask(upwards, 1);
    assert.equal((await names()).length, 0);
    await ask({ ...upwards, collection: "small" }, 5);
    assert.equal((await names()).length, 0);
    await ask(selectionOf("large"), 5);
    assert.equal((await names()).length, 0);
    await ask(upwards, 1);
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

/** How the engine would run the first statement that the work asks. */
async function planOf(db: Storage, work: (db: Reader & Asked) => Promise<unknown>): Promise<string> {
  const explain = db.dialect.name === "sqlite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
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
