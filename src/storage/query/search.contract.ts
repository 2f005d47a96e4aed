// Search on every engine: the same words find the same objects.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { foldWords } from "#base/text.ts";
import { firstPage, objectWrite, operand, seed, selectionOf, where } from "#storage/contract-samples.ts";
import type { Storage } from "#storage/port.ts";
import { deleteObject, deleteSomeObjects, updateObject } from "#storage/tables/object-writes.ts";
import { lockObject } from "#storage/tables/objects.ts";
import { markOf } from "./search-text.ts";
import { countSelected, iterateSelected, selectObjects } from "./select.ts";
import type { Search, Selection } from "./selection.ts";

/** Terms as text; each becomes one term, of several words where there are spaces. */
function search(mode: Search["mode"], ...terms: string[]): Search {
  return { mode, terms: terms.map((term) => foldWords(term).split(" ")) };
}

const cases: [name: string, search: Search, ids: string][] = [
  ["STO-23 a word", search("and", "table"), "table vegetable"],
  ["STO-23 the beginning of a word", search("and", "tab"), "table vegetable"],
  ["STO-23 not the end of a word", search("and", "able"), ""],
  ["STO-23 case makes no difference", search("and", "TABLE"), "table vegetable"],
  ["STO-23 accents make no difference", search("and", "creme", "brulee"), "creme"],
  ["STO-23 accents in the term make no difference", search("and", "tàblé"), "table vegetable"],
  ["STO-23 both words", search("and", "wooden", "chair"), "chair"],
  ["STO-23 words of title and body together", search("and", "chair", "kitchen"), "chair"],
  ["STO-23 either word", search("or", "chair", "creme"), "chair creme"],
  ["STO-23 either, where one is nowhere", search("or", "chair", "nowhere"), "chair"],
  ["STO-23 both, where one is nowhere", search("and", "chair", "nowhere"), ""],
  ["STO-23 numbers", search("and", "2026"), "creme"],
  ["STO-23 text without spaces", search("and", "京"), "tokyo"],
  ["STO-23 words of another script", search("and", "москв"), "moscow"],
  ["STO-23 one letter", search("and", "k"), "chair table"],
  ["STO-23 one letter beside other terms is a word", search("and", "wooden", "k"), ""],
  ["STO-23 one letter beside other terms, which is a word", search("and", "wooden", "a"), "chair"],
  ["STO-24 a phrase", search("and", "kitchen table"), "table"],
  ["STO-24 a phrase in another order", search("and", "table kitchen"), ""],
  ["STO-24 a phrase with an open end", search("and", "kitchen tab"), "table"],
  ["STO-24 a phrase does not begin inside a word", search("and", "itchen table"), ""],
  ["STO-24 a phrase does not run from the title into the body", search("and", "chair for the"), ""],
  ["STO-24 a phrase without spaces", search("and", "東京"), "tokyo"],
  ["STO-24 a phrase or a word", search("or", "kitchen table", "moscow"), "table"],
  ["STO-26 no terms", { mode: "and", terms: [] }, ""],
  ["STO-26 terms without words", { mode: "or", terms: [[], [""]] }, ""],
];

const oddWords = [
  '"',
  "'",
  "\\",
  "''",
  '""',
  "*",
  ":*",
  "a:*",
  "NEAR",
  "NOT",
  "AND",
  "OR",
  "&",
  "|",
  "!",
  "(",
  ")",
  "<->",
];

export function searchContract(database: () => Storage): void {
  const all = selectionOf("furniture");
  const ids = async (selection: Selection) =>
    (await selectObjects(database(), selection, firstPage)).map((row) => row.id).join(" ");

  before(async () => {
    await seed(database(), "furniture", [
      { id: "chair", title: "A wooden chair", body: "For the kitchen", idx: { price: 3 } },
      { id: "table", title: "The kitchen table", idx: { price: 1 } },
      { id: "vegetable", title: "Vegetable soup", body: "served at the table, with salt", idx: { price: 2 } },
      { id: "creme", title: "Crème brûlée", body: "since 2026", idx: { price: 5 } },
      { id: "tokyo", title: "東京", body: "日本の首都" },
      { id: "moscow", title: "Москва", body: "столица" },
      { id: "secret", title: "Secret plan", body: "chairs", more: { draft: true } },
      { id: "plain" },
    ]);
    await seed(database(), "attic", [{ id: "old", title: "An old chair and a kitchen table" }]);
  });

  for (const [name, asked, expected] of cases) {
    test(name, async () => {
      const found = await ids({
        ...all,
        search: asked,
        hideDrafts: true,
        sort: [{ operand: operand("id", "text", "column"), descending: false }],
      });
      assert.deepEqual(found, expected.split(" ").sort().join(" "));
    });
  }

  test("STO-25 matches in the title come first, of equals the older", async () => {
    assert.equal(await ids({ ...all, search: search("and", "table") }), "table vegetable");
    await seed(database(), "same", [
      { id: "b", title: "word" },
      { id: "c", body: "word" },
      { id: "a", title: "word" },
    ]);
    assert.equal(await ids(selectionOf("same", { search: search("and", "word") })), "b a c");
  });

  test("STO-25 better matches in another collection take nothing away", async () => {
    const crowd = Array.from({ length: 150 }, (_, number) => ({ id: `n${number}`, title: "mist" }));
    await seed(database(), "crowd", crowd);
    await seed(database(), "few", [
      { id: "late", body: "mist" },
      { id: "later", body: "mist" },
    ]);
    const selection = selectionOf("few", { search: search("and", "mist") });
    assert.equal(await ids(selection), "late later");
    const [second, ...more] = await selectObjects(database(), selection, { limit: 1, offset: 1 });
    assert.equal(second?.id, "later");
    assert.deepEqual(more, []);
  });

  test("STO-92 matches in other collections do not change what a search reads", async () => {
    const db = database();
    const one = selectionOf("lonely", { search: search("and", "fal") });
    const isSqlite = db.dialect.label === "sqlite";
    const has = isSqlite ? "object_fts MATCH ?" : "words @@ ?::tsquery";
    const looked = async (match: string) =>
      (await db.one<{ n: number }>(`SELECT count(*) AS n FROM object_fts WHERE ${has}`, [match]))?.n;
    await seed(db, "lonely", [{ id: "one", title: "falcon", idx: { tags: ["Falcon"] } }]);
    const crowd = Array.from({ length: 200 }, (_, n) => ({
      id: `c${n}`,
      title: "falcon falcon",
      idx: { tags: ["falcon"] },
    }));
    await seed(db, "closed", crowd);
    const matchText = ({ collection, search }: Selection) =>
      (search && db.dialect.search.matchText(collection, search)) ?? "";
    assert.equal(await looked(matchText(one)), 1);
    if (isSqlite) assert.equal(await looked(String(db.dialect.listHas("lonely", "tags", "falcon").params[0])), 1);
    assert.equal(await ids(one), "one");
    // Nor does a search that spells the words of another collection as they are kept.
    const asked = selectionOf("lonely", { search: search("and", `${markOf("closed")}falcon`) });
    assert.equal(await looked(matchText(asked)), 0);
  });

  test("STO-93 words stored without marks are found, in searches and in lists", async () => {
    const db = database();
    await seed(db, "earlier", [
      { id: "new", title: "heron" },
      { id: "old", idx: { tags: ["Grey Heron"] } },
    ]);
    await db.write(async (tx) => {
      const row = await lockObject(tx, "earlier", "old");
      await tx.dialect.search.delete(tx, row?.rid ?? 0);
      const [sql, value] =
        tx.dialect.label === "sqlite"
          ? ["INSERT INTO object_fts (rowid, title, body) VALUES (?, '', ?)", "grey heron"]
          : ["INSERT INTO object_fts (rid, words) VALUES (?, ?::tsvector)", "'grey':1 'heron':2"];
      await tx.run(sql, [row?.rid ?? 0, value]);
    });
    const earlier = selectionOf("earlier");
    assert.equal((await ids({ ...earlier, search: search("and", "hero") })).split(" ").sort().join(" "), "new old");
    assert.equal(await ids({ ...earlier, search: search("and", "grey", "heron") }), "old");
    assert.equal(await ids({ ...earlier, include: [where(operand("tags", "list"), "eq", "grey heron")] }), "old");
  });

  test("STO-26 no character of a term is syntax", async () => {
    for (const word of oddWords) {
      for (const terms of [[[word]], [["chair", word]], [[word, "chair"]], [["chair"], [word]]]) {
        await ids({ ...all, search: { mode: "or", terms } });
        await countSelected(database(), { ...all, search: { mode: "and", terms } });
      }
    }
    assert.equal(await ids({ ...all, search: { mode: "and", terms: [["not"], ["chair"]] } }), "");
  });

  test("STO-27 search, filters, order and drafts hold together", async () => {
    const price = operand("price", "number");
    const either = search("or", "kitchen", "salt", "chairs");
    assert.equal(
      await ids({ ...all, search: either, sort: [{ operand: price, descending: true }] }),
      "secret chair vegetable table",
    );
    const selection = { ...all, search: either, hideDrafts: true, include: [where(price, "lt", 3)] };
    assert.equal(await countSelected(database(), selection), 2);
    assert.equal(await ids({ ...selection, sort: [{ operand: price, descending: false }] }), "table vegetable");
    assert.equal(await ids({ ...selection, exclude: [where(price, "eq", 1)] }), "vegetable");
    const shuffled = await ids({ ...selection, shuffle: true });
    assert.equal(shuffled.split(" ").sort().join(" "), "table vegetable");
  });

  test("STO-27 pages of a search fit together, and so does iteration", async () => {
    const selection = { ...all, search: search("or", "kitchen", "table", "chair") };
    const whole = (await ids(selection)).split(" ");
    const pages = await Promise.all(
      [0, 2, 4].map((offset) => selectObjects(database(), selection, { limit: 2, offset })),
    );
    assert.deepEqual(
      pages.flat().map((row) => row.id),
      whole,
    );
    const iterated: string[] = [];
    for await (const rows of iterateSelected(database(), selection, 2)) iterated.push(...rows.map((row) => row.id));
    assert.deepEqual(iterated, whole);
  });

  test("STO-28 long texts and long words are stored, and found", async () => {
    const db = database();
    const many = Array.from({ length: 40_000 }, (_, n) => `word${n}`).join(" ");
    const often = Array.from({ length: 10_000 }, (_, n) => n.toString(36)).join(" ");
    await seed(db, "long", [
      { id: "text", title: "long", body: `${many} ${many}` },
      { id: "often", title: "long", body: `${`${often} `.repeat(60)}zum schluss` },
      { id: "word", title: "long", body: `${"y".repeat(5000)} ${"ж".repeat(3000)} after` },
    ]);
    const found = (...terms: string[]) => ids(selectionOf("long", { search: search("and", ...terms) }));
    assert.equal(await found("word39999"), "text");
    assert.equal(await found("yyyy", "after"), "word");
    assert.equal(await found("ж".repeat(2500)), "word");
    assert.equal(await found("long", "word7"), "text");
    assert.equal(await found("word39998 word39999"), "text");
    assert.equal(await found("zum schluss"), "often");
  });

  test("STO-63 a deleted object is not found", async () => {
    const db = database();
    await seed(db, "gone", [{ id: "one", title: "ephemeral" }]);
    const selection = selectionOf("gone", { search: search("and", "ephemeral") });
    assert.equal(await ids(selection), "one");
    await db.write(async (tx) => {
      const row = await lockObject(tx, "gone", "one");
      if (row) await deleteObject(tx, row, undefined);
    });
    assert.equal(await countSelected(db, selection), 0);
  });

  test("STO-63 an object is found by the text that it has now, also when it had none in between", async () => {
    const db = database();
    await seed(db, "renamed", [{ id: "one", title: "first" }]);
    const found = async () => {
      const titles = ["first", "second"];
      const counts = titles.map((title) => countSelected(db, selectionOf("renamed", { search: search("and", title) })));
      const totals = await Promise.all(counts);
      return titles.filter((_, at) => totals[at] === 1);
    };
    for (const title of ["first", "second", "", "first"]) {
      await db.write(async (tx) => {
        const row = await lockObject(tx, "renamed", "one");
        if (row)
          await updateObject(tx, row, { write: objectWrite("renamed", { id: "one", title }), record: undefined });
      });
      assert.deepEqual(await found(), title === "" ? [] : [title]);
    }
  });

  test("STO-63 of a collection that is deleted in parts nothing is left, and of others everything", async () => {
    const db = database();
    const samples = Array.from({ length: 7 }, (_, n) => ({ id: `o${n}`, title: "slowly" }));
    await seed(db, "emptied", samples);
    await seed(db, "kept", samples);
    const total = (collection: string) =>
      countSelected(db, selectionOf(collection, { search: search("and", "slowly") }));
    const deleted: number[] = [];
    const some = { collection: "emptied", limit: 5 };
    for (let part = 0; part < 3; part += 1)
      deleted.push(await db.write((tx) => deleteSomeObjects(tx, some, undefined)));
    assert.deepEqual([...deleted, await total("emptied"), await total("kept")], [5, 2, 0, 0, 7]);
    for (const table of ["objects", "object_index"])
      assert.equal((await db.all(`SELECT rid FROM ${table} WHERE collection = 'emptied'`)).length, 0);
  });
}
