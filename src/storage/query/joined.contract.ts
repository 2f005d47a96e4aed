// Pages whose documents come joined: they show what the same page shows in rows.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { service } from "#lanes/caller.ts";
import { operand, type Sample, seed, selectionOf } from "#storage/contract-samples.ts";
import type { Question, Storage } from "#storage/port.ts";
import { askPage, type FoundPage, objectsOf, positionOf, type SelectedObject } from "./select.ts";
import type { Page, Selection, SortKey } from "./selection.ts";

const long = "é".repeat(150);
const samples: Sample[] = [
  { id: "one", idx: { title: "Käse", price: 0.1, sold: true } },
  { id: "two", idx: { title: `${long}a`, price: 1 / 3 }, more: { notes: 'a "quote" and \u0001' } },
  { id: "three", idx: { title: `${long}b`, price: 1e21, sold: false } },
  { id: "four", more: { notes: "without any of them" } },
  { id: "five", idx: { price: 0.1, sold: true } },
  { id: "six", idx: { title: "𐐀" } },
  { id: "seven", idx: { title: "käse", price: -2 } },
];
const [title, price, sold] = [operand("title", "text"), operand("price", "number"), operand("sold", "boolean")];
const orders: SortKey[][] = [
  [],
  ...[title, price, sold].flatMap((on) => [true, false].map((descending) => [{ operand: on, descending }])),
  [
    { operand: sold, descending: true },
    { operand: title, descending: false },
  ],
];

type Found = FoundPage<SelectedObject>;

export function joinedContract(database: () => Storage): void {
  before(() => seed(database(), "joined", samples));

  const ask = (selection: Selection, page: Page, documents?: Question["documents"]): Promise<Found> =>
    askPage(database(), { selection, page, caller: service, shows: objectsOf, ...(documents && { documents }) });
  const parsed = ({ documents }: Found) => JSON.parse(Buffer.from(documents?.text ?? []).toString()) as unknown[];

  test("STO-71 documents of one revision that are whole are joined, in any order and from any position on", async () => {
    for (const sort of orders) {
      const selection = selectionOf("joined", { sort });
      for (let most = 1; most <= samples.length; most += 1) {
        let page: Page = { limit: most + 1, offset: 0 };
        for (let isLast = false; !isLast; ) {
          const [found, { rows }] = [await ask(selection, page, { rev: "rev1", most }), await ask(selection, page)];
          const shown = rows.slice(0, most);
          const last = shown.at(-1) as SelectedObject;
          const { count, hasMore } = found.documents ?? {};
          assert.deepEqual(
            parsed(found),
            shown.map(({ doc }) => JSON.parse(doc)),
          );
          assert.deepEqual([found.rows, count, hasMore], [[], shown.length, rows.length > most]);
          const after = positionOf(selection, found.documents?.last as SelectedObject);
          assert.deepEqual(after, positionOf(selection, last));
          page = { ...page, after };
          isLast = rows.length <= most;
        }
      }
    }
  });

  test("STO-71 documents that are not whole, or of several revisions, come as rows", async () => {
    const db = database();
    await seed(db, "torn", [{ id: "one" }, { id: "two" }, { id: "three" }]);
    const askTorn = (rev: string) => ask(selectionOf("torn"), { limit: 6, offset: 0 }, { rev, most: 5 });
    assert.equal(parsed(await askTorn("rev1")).length, 3);
    const others = await askTorn("rev2");
    assert.deepEqual([others.documents, others.rows.length], [undefined, 3]);
    await db.write((tx) => tx.run("UPDATE objects SET doc = '{\"no' WHERE collection = 'torn' AND id = 'two'"));
    const torn = await askTorn("rev1");
    assert.deepEqual([torn.documents, torn.rows.length], [undefined, 3]);
  });

  test("STO-71 a page of nothing, and documents of any size, are joined", async () => {
    const none = await ask(selectionOf("nothing"), { limit: 2, offset: 0 }, { rev: "rev1", most: 1 });
    assert.deepEqual(parsed(none), []);
    const notes = "x".repeat(300_000);
    await seed(database(), "sizes", [{ id: "large", more: { notes } }, { id: "small" }]);
    const both = await ask(selectionOf("sizes"), { limit: 3, offset: 0 }, { rev: "rev1", most: 2 });
    assert.deepEqual(parsed(both), [{ id: "large", notes }, { id: "small" }]);
  });
}
