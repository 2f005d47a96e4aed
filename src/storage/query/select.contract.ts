// Selection on every engine: one table of cases, and the order.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { foldCase } from "#base/text.ts";
import type { FilterOperator } from "#contract/queries.ts";
import { service } from "#lanes/caller.ts";
import { firstPage, operand, type Sample, seed, selectionOf, where } from "#storage/contract-samples.ts";
import type { Storage } from "#storage/port.ts";
import {
  askPage,
  countSelected,
  entryValuesOf,
  iterateSelected,
  iterateSelectedEntries,
  objectsOf,
  positionOf,
  selectEntries,
  selectObjects,
} from "./select.ts";
import type { Operand, Page, Selection, SortKey } from "./selection.ts";
import { refreshStatistics } from "./statistics.ts";

const day = (n: number) => `2026-03-0${n}T12:00:00.000Z`;
const long = "x".repeat(150);

export const samples: Sample[] = [
  {
    id: "apple",
    idx: { title: "Apple", price: 1.5, sold: true, date: day(1), tags: ["Red", "Fruit"] },
    created: day(3),
  },
  { id: "banana", idx: { title: "BANANA split", price: 0, sold: false, date: day(2), tags: [] }, created: day(1) },
  {
    id: "cherry",
    idx: { title: "Çerçi", price: -20, tags: ["Straße", "a%b"] },
    more: { draft: true },
    created: day(2),
  },
  { id: "dragon", idx: { title: "100%_sure\\", price: 1e21, sold: true, date: day(3), tags: ["2"] }, created: day(2) },
  { id: "empty", created: day(4) },
  { id: "fig", idx: { title: "apple", price: 1.5, sold: false, tags: ["fruit"], draft: false }, created: day(5) },
  {
    id: "grape",
    idx: { title: `${long}a`, price: 3 },
    more: { notes: "Écru", pieces: 7, kinds: ["Été"] },
    created: day(6),
  },
  { id: "honey", idx: { title: `${long}B`, price: 30 }, more: { notes: "amber", pieces: 12 }, created: day(7) },
];

/** In documents alone: letters whose small forms are several characters, or ASCII, or depend on their place. */
const scripts: Sample[] = [
  { id: "dots", more: { notes: "İSTANBUL %_\\", kinds: ["İz"] } },
  { id: "kelvin", more: { notes: "10 \u212a *[x]", kinds: ["\u212a"] } },
  { id: "odos", more: { notes: "ΟΔΟΣ ΣΟΦΙΑΣ", kinds: ["ΟΔΟΣ"] } },
  { id: "sharp", more: { notes: "GROẞE ÅNGSTRÖM", kinds: ["ẞ"] } },
  { id: "wide", more: { notes: "ＡＢＣ ДЖАЗ 𐐀", kinds: ["Ж"] } },
];

/** What a property of these holds, and which of them hold it: compared with a copy that JavaScript has folded. */
const scriptValues = [
  ..."i̇ i istanbul i̇stanbul %_\\ k *[x] [x] 10 οδοσ οδοσ ς σ σοφιασ große ß å ångström ａｂｃ джаз 𐐨".split(" "),
  "οδοσ σοφιασ",
  "10 k *[x]",
  "i̇stanbul %_\\",
];

const title = operand("title", "text");
const price = operand("price", "number");
const sold = operand("sold", "boolean");
const date = operand("date", "date");
const tags = operand("tags", "list");
const notes = operand("notes", "text", "document");
const pieces = operand("pieces", "number", "document");
const kinds = operand("kinds", "list", "document");
const id = operand("id", "text", "column");
const created = operand("created", "date", "column");

const withTitle = "apple banana cherry dragon fig grape honey";

/** A rule, a condition, and the objects that fulfil it. */
export const cases: [rule: string, condition: Parameters<typeof where>, ids: string][] = [
  ["STO-12 text is equal", [title, "eq", "apple"], "apple fig"],
  ["STO-12 text is equal in any script", [title, "eq", "çerçi"], "cherry"],
  ["STO-12 text is not equal", [title, "ne", "apple"], "banana cherry dragon grape honey"],
  ["STO-12 text is one of", [title, "in", "apple", "çerçi"], "apple cherry fig"],
  ["STO-12 text is none of", [title, "notin", "apple", "çerçi"], "banana dragon grape honey"],
  ["STO-12 text contains", [title, "contains", "nana s"], "banana"],
  ["STO-12 text starts", [title, "starts", "app"], "apple fig"],
  ["STO-12 text ends", [title, "ends", "split"], "banana"],
  ["STO-12 text contains nothing at all", [title, "contains", ""], withTitle],
  ["STO-12 text ends with nothing at all", [title, "ends", ""], withTitle],
  ["STO-12 a percent sign is a character", [title, "contains", "0%_s"], "dragon"],
  ["STO-12 an underscore is a character", [title, "starts", "100_"], ""],
  ["STO-12 a backslash is a character", [title, "ends", "\\"], "dragon"],
  ["STO-12 an asterisk is a character", [title, "eq", "app*"], ""],
  ["STO-12 a quote is a character", [title, "eq", "' OR 1=1 --"], ""],
  ["STO-17 long text is equal as a whole", [title, "eq", `${long}a`], "grape"],
  ["STO-17 long text is one of", [title, "in", `${long}b`, "apple"], "apple fig honey"],
  ["STO-17 the beginning of a long text is not the text", [title, "eq", long], ""],
  ["STO-12 a number is equal", [price, "eq", 1.5], "apple fig"],
  ["STO-12 a number is zero", [price, "eq", 0], "banana"],
  ["STO-12 a number is not equal", [price, "ne", 1.5], "banana cherry dragon grape honey"],
  ["STO-12 a number is less, by value", [price, "lt", 3], "apple banana cherry fig"],
  ["STO-12 a number is at most", [price, "lte", 3], "apple banana cherry fig grape"],
  ["STO-12 a number is more, by value", [price, "gt", 3], "dragon honey"],
  ["STO-12 a number is at least", [price, "gte", 3], "dragon grape honey"],
  ["STO-12 a number is one of", [price, "in", 0, 3, 4], "banana grape"],
  ["STO-12 a number is none of", [price, "notin", 0, 3, 1.5], "cherry dragon honey"],
  ["STO-12 a large number is equal", [price, "eq", 1e21], "dragon"],
  ["STO-12 a boolean is true", [sold, "eq", true], "apple dragon"],
  ["STO-12 a boolean is false", [sold, "eq", false], "banana fig"],
  ["STO-12 a boolean is not true", [sold, "ne", true], "banana fig"],
  ["STO-12 a boolean is one of", [sold, "in", true, false], "apple banana dragon fig"],
  ["STO-12 a date is equal", [date, "eq", day(2)], "banana"],
  ["STO-12 a date is earlier", [date, "lt", day(2)], "apple"],
  ["STO-12 a date is at least", [date, "gte", day(2)], "banana dragon"],
  ["STO-12 a date starts with a day", [date, "starts", "2026-03-03"], "dragon"],
  ["STO-12 a date is any", [date, "ne", ""], "apple banana dragon"],
  ["STO-12 a creation time is later", [created, "gt", day(4)], "fig grape honey"],
  ["STO-12 an id is equal", [id, "eq", "fig"], "fig"],
  ["STO-12 an id is one of", [id, "in", "fig", "empty"], "empty fig"],
  ["STO-12 an id contains", [id, "contains", "an"], "banana"],
  ["STO-13 a list has an element", [tags, "eq", "fruit"], "apple fig"],
  ["STO-13 a list has an element in any script", [tags, "eq", "straße"], "cherry"],
  ["STO-13 a list has one of", [tags, "in", "red", "a%b"], "apple cherry"],
  ["STO-13 a list has not", [tags, "ne", "fruit"], "cherry dragon"],
  ["STO-13 a list has none of", [tags, "notin", "red", "2"], "cherry fig"],
  ["STO-13 an element contains", [tags, "contains", "%"], "cherry"],
  ["STO-13 an element starts", [tags, "starts", "fr"], "apple fig"],
  ["STO-13 an element ends", [tags, "ends", "d"], "apple"],
  ["STO-15 lists have no order", [tags, "gt", "a"], ""],
  ["STO-15 what never holds", [title, "never"], ""],
  ["STO-15 one of nothing", [title, "in"], ""],
  ["STO-15 text is no number", [price, "eq", "1.5"], ""],
  ["STO-15 a number is no boolean", [sold, "eq", 1], ""],
  ["STO-15 a number contains nothing", [price, "contains", "1"], ""],
  ["STO-21 text of the document is equal", [notes, "eq", "écru"], "grape"],
  ["STO-21 text of the document contains", [notes, "contains", "b"], "honey"],
  ["STO-21 text of the document is not equal", [notes, "ne", "écru"], "honey"],
  ["STO-21 a number of the document is more", [pieces, "gt", 7], "honey"],
  ["STO-21 a list of the document has an element", [kinds, "eq", "été"], "grape"],
  ["STO-102 a text is empty", [operand("title", "presence"), "empty", true], "empty"],
  ["STO-102 a text is not empty", [operand("title", "presence"), "empty", false], withTitle],
  ["STO-102 a list is not empty", [operand("tags", "presence"), "empty", false], "apple cherry dragon fig"],
  [
    "STO-102 a text of the document is not empty",
    [operand("notes", "presence", "document"), "empty", false],
    "grape honey",
  ],
  ["STO-102 an id is empty", [id, "empty", true], ""],
];

const patterns: [operator: FilterOperator, holds: (text: string, value: string) => boolean][] = [
  ["eq", (text, value) => text === value],
  ["contains", (text, value) => text.includes(value)],
  ["starts", (text, value) => text.startsWith(value)],
  ["ends", (text, value) => text.endsWith(value)],
];

export function selectContract(database: () => Storage): void {
  const all = selectionOf("fruits");
  const ids = async (selection: Selection, page: Page = firstPage) =>
    (await selectObjects(database(), selection, page)).map((row) => row.id).join(" ");
  const everyId = samples.map((sample) => sample.id);

  before(async () => {
    await seed(database(), "fruits", samples.toReversed());
    await seed(database(), "others", samples);
    await seed(database(), "scripts", scripts);
  });

  test("STO-12, STO-21 texts of documents compare in every script as folded ones do", async () => {
    for (const value of scriptValues.map(foldCase)) {
      for (const [operator, holds] of patterns) {
        const expected = (texts: (sample: Sample) => string[]) =>
          scripts.filter((sample) => texts(sample).some((text) => holds(foldCase(text), value))).map(({ id }) => id);
        const found = (on: Operand) => ids(selectionOf("scripts", { include: [where(on, operator, value)] }));
        assert.equal(
          await found(notes),
          expected(({ more }) => [String(more?.notes)]).join(" "),
          `${operator} ${value}`,
        );
        assert.equal(
          await found(kinds),
          expected(({ more }) => more?.kinds as string[]).join(" "),
          `${operator} ${value}`,
        );
      }
    }
  });

  test("STO-21 several conditions on one property of the document hold together", async () => {
    const include = [where(notes, "contains", "σ"), where(notes, "ne", "k"), where(notes, "starts", "οδοσ")];
    assert.equal(await ids(selectionOf("scripts", { include })), "odos");
    const exclude = [where(notes, "contains", "σ"), where(notes, "starts", "i̇"), where(notes, "ends", "𐐨")];
    assert.equal(await ids(selectionOf("scripts", { exclude })), "kelvin sharp");
    assert.equal(
      await ids({ ...all, exclude: [where(notes, "eq", "écru"), where(notes, "never")] }),
      [...everyId.filter((each) => each !== "grape")].join(" "),
    );
    const between = [where(pieces, "gt", 6), where(pieces, "lt", 12)];
    assert.equal(await ids({ ...all, include: between }), "grape");
  });

  for (const [name, condition, expected] of cases) {
    test(name, async () => {
      const include = [where(...condition)];
      assert.equal(await ids({ ...all, include }), expected);
      assert.equal(
        await countSelected(database(), { ...all, include }),
        expected === "" ? 0 : expected.split(" ").length,
      );
    });

    test(`STO-14 exclude: ${name}`, async () => {
      const expectedRest = everyId.filter((each) => !expected.split(" ").includes(each)).join(" ");
      assert.equal(await ids({ ...all, exclude: [where(...condition)] }), expectedRest);
    });
  }

  test("STO-14 all of include must hold, and exclude wins", async () => {
    const include = [where(title, "eq", "apple"), where(price, "gt", 1)];
    assert.equal(await ids({ ...all, include }), "apple fig");
    assert.equal(await ids({ ...all, include, exclude: [where(tags, "eq", "red"), where(price, "lt", 0)] }), "fig");
    assert.equal(await ids({ ...all, include, exclude: include }), "");
  });

  const orders: [name: string, sort: SortKey[], ids: string][] = [
    ["STO-16 no order: by id", [], everyId.join(" ")],
    ["STO-16 id downwards", [{ operand: id, descending: true }], everyId.toReversed().join(" ")],
    [
      "STO-16 numbers upwards",
      [{ operand: price, descending: false }],
      "cherry banana apple fig grape honey dragon empty",
    ],
    [
      "STO-16 numbers downwards",
      [{ operand: price, descending: true }],
      "empty dragon honey grape apple fig banana cherry",
    ],
    [
      "STO-16 booleans upwards",
      [{ operand: sold, descending: false }],
      "banana fig apple dragon cherry empty grape honey",
    ],
    [
      "STO-16 booleans downwards",
      [{ operand: sold, descending: true }],
      "cherry empty grape honey apple dragon banana fig",
    ],
    [
      "STO-16 dates upwards",
      [{ operand: date, descending: false }],
      "apple banana dragon cherry empty fig grape honey",
    ],
    [
      "STO-16 dates downwards",
      [{ operand: date, descending: true }],
      "cherry empty fig grape honey dragon banana apple",
    ],
    [
      "STO-17 text upwards, capitals first",
      [{ operand: title, descending: false }],
      "dragon apple banana fig honey grape cherry empty",
    ],
    [
      "STO-17 text downwards",
      [{ operand: title, descending: true }],
      "empty cherry grape honey fig banana apple dragon",
    ],
    [
      "STO-16 lists by their first element",
      [{ operand: tags, descending: false }],
      "dragon apple cherry fig banana empty grape honey",
    ],
    [
      "STO-16 values without an order before missing ones",
      [{ operand: operand("tags", "presence"), descending: false }],
      "apple banana cherry dragon fig empty grape honey",
    ],
    [
      "STO-21 the same in the document",
      [{ operand: operand("notes", "presence", "document"), descending: true }],
      "apple banana cherry dragon empty fig grape honey",
    ],
    [
      "STO-16 times, ties by id",
      [{ operand: created, descending: true }],
      "honey grape fig empty apple cherry dragon banana",
    ],
    [
      "STO-16 two orders",
      [
        { operand: sold, descending: true },
        { operand: price, descending: false },
      ],
      "cherry grape honey empty apple dragon banana fig",
    ],
    [
      "STO-16 three orders",
      [
        { operand: sold, descending: false },
        { operand: title, descending: true },
        { operand: price, descending: true },
      ],
      "fig banana apple dragon empty cherry grape honey",
    ],
    [
      "STO-21 text of the document",
      [{ operand: notes, descending: false }],
      "honey grape apple banana cherry dragon empty fig",
    ],
    [
      "STO-21 numbers of the document",
      [{ operand: pieces, descending: true }],
      "apple banana cherry dragon empty fig honey grape",
    ],
  ];

  for (const [name, sort, expected] of orders) {
    test(name, async () => {
      assert.equal(await ids({ ...all, sort }), expected);
    });

    test(`STO-18 going on from each row: ${name}`, async () => {
      const rows = await selectObjects(database(), { ...all, sort }, firstPage);
      for (const [index, row] of rows.entries()) {
        // As a cursor carries it.
        const rest = rows.slice(index + 1).map((each) => each.id);
        const after = JSON.parse(JSON.stringify(positionOf({ ...all, sort }, row)));
        assert.equal(await ids({ ...all, sort }, { limit: 100, offset: 0, after }), rest.join(" "));
        assert.equal(await ids({ ...all, sort }, { limit: 2, offset: 0, after }), rest.slice(0, 2).join(" "));
      }
    });

    test(`STO-16 pages by offset fit together: ${name}`, async () => {
      const pages = await Promise.all([0, 3, 6, 9].map((offset) => ids({ ...all, sort }, { limit: 3, offset })));
      assert.equal(pages.filter((page) => page !== "").join(" "), expected);
    });
  }

  test("STO-17, STO-18 long texts are ordered by their first difference", async () => {
    const head = "\u{1F34E}".repeat(118);
    const ends = ["", "a", "aa", `a${long}2`, `a${long}1`, "ab", "b", `b${long}`, `b${long}`];
    const made = ends.map((end, n) => ({
      id: `s${n}`,
      idx: { title: head + end, price: n % 2 },
      more: { notes: head + end },
    }));
    await seed(database(), "long", made);
    const expected = "s0 s1 s2 s5 s4 s3 s6 s7 s8";
    for (const on of [title, notes]) {
      const selection = selectionOf("long", { sort: [{ operand: on, descending: false }] });
      const rows = await selectObjects(database(), selection, firstPage);
      assert.equal(rows.map((row) => row.id).join(" "), expected);
      const down = selectionOf("long", { sort: [{ operand: on, descending: true }] });
      assert.equal(await ids(down), "s7 s8 s6 s3 s4 s5 s2 s1 s0");
      for (const [index, row] of rows.entries()) {
        const after = positionOf(selection, row);
        const rest = expected
          .split(" ")
          .slice(index + 1)
          .join(" ");
        assert.equal(await ids(selection, { ...firstPage, after }), rest);
        assert.equal(await ids(selection, { limit: 1, offset: index }), row.id);
      }
      const walked: string[] = [];
      for await (const batch of iterateSelected(database(), selection, 4)) walked.push(...batch.map((each) => each.id));
      assert.equal(walked.join(" "), expected);
    }
  });

  test("STO-36 a damaged document has no properties, and costs the others nothing (F19)", async () => {
    const made = ["one", "two", "three"].map((each, n) => ({
      id: each,
      more: { notes: each, pieces: n, kinds: [each] },
    }));
    await seed(database(), "damaged", made);
    await database().write((tx) =>
      tx.run("UPDATE objects SET doc = '{\"notes\": \"tw' WHERE collection = 'damaged' AND id = 'two'"),
    );
    const asked = (more: Partial<Selection>) => ids(selectionOf("damaged", more));
    assert.equal(await asked({ include: [where(notes, "ne", "x")] }), "one three");
    assert.equal(await asked({ include: [where(kinds, "in", "one", "two")] }), "one");
    assert.equal(await asked({ exclude: [where(pieces, "lt", 2)] }), "three two");
    assert.equal(await asked({ sort: [{ operand: notes, descending: false }] }), "one three two");
  });

  test("STO-19 drafts are hidden, indexed or not", async () => {
    assert.equal(await ids({ ...all, hideDrafts: true }), everyId.filter((each) => each !== "cherry").join(" "));
    assert.equal(await countSelected(database(), { ...all, hideDrafts: true }), everyId.length - 1);
    await seed(database(), "drafts", [
      { id: "one", idx: { draft: true } },
      { id: "two", idx: { draft: false } },
    ]);
    assert.equal(await ids(selectionOf("drafts", { hideDrafts: true })), "two");
  });

  test("STO-20 a name that is not a property name is refused", async () => {
    for (const name of ["a'b", 'a"b', "a..b", ".b", "a.", "a.1", "a.b'c", "", "1a", "a b", "__proto__", "x') --"]) {
      const bad = operand(name, "text");
      await assert.rejects(async () => ids({ ...all, include: [where(bad, "eq", "x")] }), /not a property name/);
      await assert.rejects(
        async () => ids({ ...all, sort: [{ operand: bad, descending: false }] }),
        /not a property name/,
      );
    }
    await assert.rejects(async () => ids({ ...all, include: [where(operand("doc", "text", "column"), "eq", "x")] }));
    assert.equal(await ids(selectionOf("fruits' OR '1'='1")), "");
  });

  test("STO-71 a page and its total are of one moment, whatever is written meanwhile", async () => {
    const db = database();
    const selection = selectionOf("moments", { include: [where(pieces, "gte", 0)] });
    let isWriting = true;
    const writing = (async () => {
      for (let n = 0; isWriting && n < 4_000; n += 1) {
        // As a server does while a collection grows (jobs/follow-growth.ts).
        if (n >= 100 && Number.isInteger(Math.log2(n / 100))) await refreshStatistics(db);
        await seed(db, "moments", [
          { id: `m${n}a`, more: { pieces: n } },
          { id: `m${n}b`, more: { pieces: n } },
        ]);
      }
    })();
    for (let n = 0; n < 60; n += 1) {
      const page = { limit: 10_000, offset: 0 };
      const asked = { selection, page, caller: service, shows: objectsOf, isCounted: true };
      const { rows, total } = await askPage(db, asked);
      assert.equal(rows.length, total);
      assert.equal(rows.length % 2, 0);
    }
    isWriting = false;
    await writing;
  });

  test("STO-22 a random order shows every object once", async () => {
    const shuffled = await ids({ ...all, shuffle: true });
    assert.deepEqual(shuffled.split(" ").sort(), everyId);
  });

  test("STO-16 entries come in the same order, with indexed properties", async () => {
    const sort = [{ operand: price, descending: false }];
    const entries = await selectEntries(database(), { ...all, sort }, { limit: 2, offset: 1 });
    assert.deepEqual(
      entries.map((entry) => entry.id),
      ["banana", "apple"],
    );
    const [first] = entries;
    assert.equal(first?.created, day(1));
    assert.deepEqual(JSON.parse(first?.idx ?? ""), samples[1]?.idx);
    assert.deepEqual(first && positionOf({ ...all, sort }, first), { values: [0], id: "banana" });
    const names = Object.keys(samples[1]?.idx ?? {});
    const shows = entryValuesOf([...names, "unknown"]);
    const asked = { selection: { ...all, sort }, page: { limit: 1, offset: 1 }, caller: service, shows };
    const { rows } = await askPage<{ id: string; entry: string }>(database(), asked);
    assert.deepEqual(
      rows.map(({ id, entry }) => [id, JSON.parse(entry)]),
      [["banana", [...Object.values(samples[1]?.idx ?? {}), null]]],
    );
  });

  test("STO-16 rows carry the document and the values they were ordered by", async () => {
    const sort = [
      { operand: sold, descending: false },
      { operand: title, descending: false },
    ];
    const [row, ...rest] = await selectObjects(database(), { ...all, sort }, firstPage);
    assert.equal(row?.id, "banana");
    assert.deepEqual(JSON.parse(row?.doc ?? ""), { id: "banana", ...samples[1]?.idx });
    const positions = [row, rest.at(-1)].map((each) => each && positionOf({ ...all, sort }, each).values);
    assert.deepEqual(positions, [
      [false, "BANANA split"],
      [null, null],
    ]);
  });

  test("STO-7, STO-16 iteration keeps the order", async () => {
    const selection = { ...all, sort: [{ operand: price, descending: true }], include: [where(price, "ne", 3)] };
    const rows: string[] = [];
    for await (const batch of iterateSelected(database(), selection, 3)) rows.push(...batch.map((row) => row.id));
    const entries: string[] = [];
    for await (const batch of iterateSelectedEntries(database(), selection, 3))
      entries.push(...batch.map((row) => row.id));
    assert.equal(rows.join(" "), "dragon honey apple fig banana cherry");
    assert.deepEqual(entries, rows);
  });
}
