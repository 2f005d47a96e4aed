// Reading and writing of CSV, together: what one writes, the other reads back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { csvRow } from "#base/csv.ts";
import { CairnError } from "#base/errors.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { csvCells, csvColumns, noteLocales } from "./csv-columns.ts";
import { readCsv } from "./read-csv.ts";
import { BadRow } from "./rows.ts";

/** As much of a schema as CSV looks at. */
function schemaOf(types: Record<string, string | FlatSchema>): FlatSchema {
  const properties = Object.entries(types).map(([name, type]): [string, Property] => {
    const kind = typeof type === "string" ? type : "card";
    const more = typeof type === "string" ? {} : { item: type };
    return [name, { name, kind: { type: kind }, isPassword: kind === "password", ...more } as unknown as Property];
  });
  return { id: "test", properties: new Map(properties) } as unknown as FlatSchema;
}

const schema = schemaOf({
  id: "slug",
  title: "string",
  code: "code",
  views: "number",
  tags: "list",
  label: "localizedtext",
  seo: schemaOf({ title: "string", words: "list", secret: "password" }),
  items: "deck",
  tint: "color",
  password: "password",
});

async function* bytesOf(text: string | Uint8Array, size = 5): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, of = schema): Promise<(JsonObject | string)[]> {
  const rows: (JsonObject | string)[] = [];
  for await (const row of readCsv(bytesOf(text), { schema: of, maxRowSize: 10_000 })) {
    rows.push(row instanceof BadRow ? row.message : row);
  }
  return rows;
}

test("IMP-20 the header names properties; unnamed columns are left out, unknown ones by the import", async () => {
  assert.deepEqual(await read("id,,nonsense,title\r\na,x,y,Hello\r\n"), [{ id: "a", nonsense: "y", title: "Hello" }]);
});

test("IMP-21 values are trimmed, rows without any value are dropped, an empty cell has no value", async () => {
  assert.deepEqual(await read('id,title\n  a  ,"  Hi  "\n,\n  ,  \n\nb,\n'), [
    { id: "a", title: "Hi" },
    { id: "b", title: null },
  ]);
});

test("IMP-22 quotes, commas, line ends and a byte order mark are read as RFC 4180 has it", async () => {
  assert.deepEqual(await read('\ufeffid,title\r\na,"one, ""two""\r\nthree"\r\n'), [
    { id: "a", title: 'one, "two"\r\nthree' },
  ]);
});

test("IMP-23 lists are split at commas and bars, or read as JSON", async () => {
  assert.deepEqual(await read('id,tags\na,"x, y|z,"\nb,"[""p,q"",""r""]"\n'), [
    { id: "a", tags: ["x", "y", "z"] },
    { id: "b", tags: ["p,q", "r"] },
  ]);
});

test("IMP-24 dotted columns are folded into cards and localized texts, others are not", async () => {
  const rows = await read(
    "id,seo.title,seo.words,seo.__proto__,label.en,label.de_DE,label.constructor,title.x\na,T,v|w,1,Hi,Hallo,2,3\n",
  );
  const unknown = { "seo.__proto__": "1", "label.constructor": "2", "title.x": "3" };
  const known = { id: "a", seo: { title: "T", words: ["v", "w"] }, label: { en: "Hi", de_DE: "Hallo" } };
  assert.deepEqual(rows, [{ ...known, ...unknown }]);
});

test("IMP-25 the two characters \\n are a line end in strings only", async () => {
  assert.deepEqual(await read("id,title,code\na,x\\ny,x\\ny\n"), [{ id: "a", title: "x\ny", code: "x\\ny" }]);
});

test("IMP-26 structured columns take JSON text; broken JSON is a bad row", async () => {
  const rows = await read('id,items\na,"[{""id"":""one""}]"\nb,[{]\n');
  assert.deepEqual(rows[0], { id: "a", items: [{ id: "one" }] });
  assert.match(String(rows[1]), /^items: /);
});

test("IMP-27 CSV that is empty, not UTF-8, without a known column or with an open quote is refused", async () => {
  const isRefused = (error: unknown) =>
    error instanceof CairnError && error.word === "refused" && error.details !== undefined;
  for (const text of ["", "foo,bar\n1,2\n", 'id,title\na,"open\n', Buffer.from([0x69, 0x64, 0x0a, 0xff, 0xfe, 0x0a])]) {
    await assert.rejects(read(text), isRefused);
  }
});

test("IMP-13 a row that is too large is refused as such", async () => {
  await assert.rejects(read(`id,title\na,${"x".repeat(11_000)}\n`), {
    message: "A row has more than 10000 characters.",
  });
});

test("EXP-10 columns: id, the properties with cards and languages taken apart, then the timestamps; no password", () => {
  const locales = new Map([["label", new Set<string>()]]);
  noteLocales(locales, { label: { en: "a", de: "b" } });
  assert.deepEqual(
    csvColumns(schema, locales).map(({ header }) => header),
    [
      "id",
      "title",
      "code",
      "views",
      "tags",
      "label.de",
      "label.en",
      "seo.title",
      "seo.words",
      "items",
      "tint",
      "created",
      "modified",
    ],
  );
});

test("EXP-11 written CSV is read back equal (T22)", async () => {
  const object = {
    id: "a",
    title: '=1+1, "quoted"\nsecond line',
    code: "-x",
    views: -5,
    tags: ["one", "two"],
    label: { de: "Straße", en: "@street" },
    seo: { title: "T", words: ["a,b", "c"] },
    items: [{ id: "first", n: 1 }],
    created: "2020-01-02T03:04:05.678Z",
    modified: "2021-01-02T03:04:05.678Z",
  };
  const columns = csvColumns(schema, new Map([["label", new Set(["de", "en"])]]));
  const text = csvRow(columns.map(({ header }) => header)) + csvRow(csvCells(columns, object));
  assert.ok(text.includes(`"'=1+1`));
  assert.ok(text.includes(",'-x,-5,"));
  assert.deepEqual(await read(text), [{ ...object, views: "-5", tint: null }]);
});

test("EXP-13 ambiguous values are read back unchanged", async () => {
  const awkward = schemaOf({ id: "slug", title: "string", code: "code", data: "json", tags: "list", parts: "array" });
  const titles = ["a\\nb", "a\\\\nb\nc", "\\r\\n", "'=1", "''-x", "'x", "null", "true"];
  const codes = [" x\n", "\\n", "'+1", "\tx", "{", '""', "a\u2028", "'@"];
  const data = [false, 5, "5", "false", '"q"', "plain text", "", { a: ["1"] }];
  const tags = [[], ["a,b"], ["[x]"], ["{y"], ["'=z"], ["0"], ["a|b", "c"], ["x y"]];
  const objects = titles.map((title, n) => ({
    id: `o${n}`,
    title,
    code: codes[n] as string,
    data: data[n] as Json,
    tags: tags[n] as string[],
    parts: n % 2 ? [1, "1", null, true] : [],
  }));
  const columns = csvColumns(awkward, new Map(), "deck");
  const text = [csvRow(columns.map(({ header }) => header)), ...objects.map((each) => csvRow(csvCells(columns, each)))];
  assert.deepEqual(await read(text.join(""), awkward), objects);
});

test("EXP-12 colours are written as text", () => {
  const [cell] = csvCells([{ header: "tint", path: ["tint"], type: "color" }], {
    tint: { hex: "#ff0000", oklch: { l: 62.8, c: 0.2577, h: 29.23 } },
  });
  assert.equal(cell, "oklch(62.8% 0.2577 29.23)");
});
