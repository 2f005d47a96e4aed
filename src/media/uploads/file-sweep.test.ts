// The check of files against objects, on a real store: what it finds, what it removes, and what it leaves alone.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { systemClock } from "#base/clock.ts";
import { createCollection } from "#content/collections/collections.ts";
import { createSchema } from "#content/collections/schemas.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { findFlatSchema } from "#schemas/find-schema.ts";
import { insertObject } from "#storage/tables/object-writes.ts";
import { checkFiles } from "./file-sweep.ts";

let ctx: Context;
let close: () => Promise<void>;
const twoHoursLater = { ...systemClock, now: () => Date.now() + 7_200_000 };

before(async () => {
  ({ ctx, close } = await openTestContext());
  await createSchema(ctx, {
    id: "part",
    properties: { id: { $ref: "slug" }, image: { type: "image", $ref: "image" }, body: { type: "string" } },
    index: ["id"],
  });
  await createSchema(ctx, {
    id: "page",
    properties: {
      id: { $ref: "slug" },
      photo: { $ref: "image" },
      photos: { $ref: "gallery" },
      papers: { $ref: "depot" },
      body: { type: "string" },
      card: { type: "card", schemaref: "part" },
      deck: { type: "deck", schemaref: "part" },
    },
    index: ["id"],
  });
  await createCollection(ctx, { id: "pages", schema: "page" });
});
after(() => close());
beforeEach(async () => {
  await ctx.files.deleteAll("pages");
  await ctx.files.deleteAll("strangers");
  await ctx.storage.write((tx) => tx.run("DELETE FROM objects WHERE collection = 'pages'"));
});

async function addRow(id: string, document: JsonObject, attic: JsonObject = {}): Promise<void> {
  const now = new Date().toISOString();
  const entry = { idx: "{}", fold: "{}", title: "", body: "" };
  const doc = JSON.stringify({ id, ...document });
  const schemaRev = findFlatSchema(ctx, "page")?.rev ?? "";
  await ctx.storage.write(async (tx) => {
    const write = { collection: "pages", id, created: now, modified: now, schemaRev, doc, secrets: {}, entry };
    const { rid } = await insertObject(tx, { ...write, record: undefined });
    await tx.run("UPDATE objects SET attic = ? WHERE rid = ?", [JSON.stringify(attic), rid]);
  });
}

async function addFiles(...keys: string[]): Promise<void> {
  async function* bytes() {
    yield Buffer.from("bytes");
  }
  for (const key of keys) await ctx.files.publish(await ctx.staging.receive(bytes(), 100), key);
}

async function problems(fix = false, clock = twoHoursLater): Promise<string[]> {
  const found: string[] = [];
  for await (const problem of checkFiles({ ...ctx, clock }, { fix })) found.push(`${problem.kind} ${problem.key}`);
  return found.sort();
}

async function stored(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of ctx.files.list("pages", { withCache: true })) keys.push(key);
  return keys;
}

const named: JsonObject = {
  photo: { name: "a.jpg" },
  photos: [{ name: "b.jpg" }],
  papers: { files: [{ name: "c.pdf" }, { name: "deep", mime: "folder", files: [{ name: "d.pdf" }] }] },
  card: { image: { name: "e.jpg" } },
  deck: [{ id: "one", image: { name: "f.jpg" } }],
};
const namedKeys = [
  "photo/a.jpg",
  "photos/b.jpg",
  "papers/c.pdf",
  "papers/deep/d.pdf",
  "card/image/e.jpg",
  "deck/one/image/f.jpg",
];
const under = (id: string, paths: string[]) => paths.map((path) => `pages/${id}/${path}`);

test("FILE-32 a file is in order when a value names it, in every kind of place", async () => {
  await addRow("one", named);
  await addFiles(...under("one", namedKeys));
  assert.deepEqual(await problems(true), []);
  assert.deepEqual((await stored()).sort(), under("one", namedKeys).sort());
});

test("FILE-32 a value without a file is missing, and no fix changes it", async () => {
  await addRow("one", named);
  await addRow("two", { photo: { name: "" }, photos: [] });
  await addRow("three", { photo: { name: "../../../etc/passwd" } });
  const expected = [...under("one", namedKeys), "pages/three/photo/../../../etc/passwd"].map((key) => `missing ${key}`);
  assert.deepEqual(await problems(true), expected.sort());
});

test("FILE-33 a file that no value names is an orphan; the fix removes it, and nothing else", async () => {
  await addRow("one", named);
  await addFiles(...under("one", namedKeys));
  const orphans = under("one", [
    "photo/old.jpg",
    "photos/deep/b.jpg",
    "papers/x/y.pdf",
    "card/image/old.jpg",
    "deck/gone/image/f.jpg",
    "gone/x.jpg",
  ]);
  await addFiles(...orphans, "pages/two/photo/a.jpg", "pages/two/photo/.cache/a.jpg/1.webp");
  const expected = [...orphans, "pages/two/photo/a.jpg", "pages/two/photo/.cache/a.jpg/1.webp"].map(
    (key) => `orphan ${key}`,
  );
  assert.deepEqual(await problems(), expected.sort());
  assert.equal((await stored()).length, namedKeys.length + expected.length);
  assert.deepEqual(await problems(true), expected.sort());
  assert.deepEqual((await stored()).sort(), under("one", namedKeys).sort());
});

test("FILE-33 a file of the last hour is left alone: its upload may be running", async () => {
  await addFiles("pages/one/photo/a.jpg");
  assert.deepEqual(await problems(true, systemClock), []);
  assert.deepEqual(await stored(), ["pages/one/photo/a.jpg"]);
});

test("FILE-34 files of text, derived images, hidden values and damaged objects are not judged", async () => {
  await addRow(
    "one",
    { photo: { name: "a.jpg" }, card: { body: "" }, deck: [{ id: "one" }] },
    { former: { name: "z.jpg" } },
  );
  await addRow("two", {});
  await ctx.storage.write((tx) => tx.run("UPDATE objects SET doc = 'broken' WHERE id = 'two'"));
  const kept = [
    ...under("one", [
      "photo/a.jpg",
      "body/linked.jpg",
      "card/body/x.jpg",
      "deck/one/body/y.jpg",
      "former/z.jpg",
      "photo/.cache/a.jpg/1.webp",
    ]),
    "pages/two/photo/a.jpg",
  ];
  await addFiles(...kept, "strangers/one/photo/a.jpg");
  assert.deepEqual(await problems(true), []);
  assert.deepEqual((await stored()).sort(), kept.sort());
  assert.ok(await ctx.files.find("strangers/one/photo/a.jpg"));
});
