import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { createObject, getObject, patchObject } from "#content/objects/objects.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { findFlatSchema } from "#schemas/find-schema.ts";
import type { Storage, Tx } from "#storage/port.ts";
import { findSecrets } from "#storage/tables/objects.ts";
import { createCollection, getSettings } from "./collections.ts";
import { rebuildIndex, resumeReindex, stopReindex } from "./reindex.ts";
import { createSchema, replaceSchema } from "./schemas.ts";

let ctx: Context;
let close: () => Promise<void>;

before(async () => {
  ({ ctx, close } = await openTestContext());
});
after(async () => {
  await stopReindex(ctx);
  await close();
});

const text: Json = { type: "string", field: "text" };
const password: Json = { type: "password", field: "password" };

async function prepare(id: string, properties: { [name: string]: Json }, index: string[] = ["id"]): Promise<void> {
  await createSchema(ctx, { id, properties: { id: { type: "slug" }, ...properties }, required: ["id"], index });
  await createCollection(ctx, { id, schema: id });
}

function entriesOf(collection: string): Promise<{ id: string; idx: string }[]> {
  return ctx.storage.all("SELECT id, json(idx) AS idx FROM object_index WHERE collection = ? ORDER BY id", [
    collection,
  ]);
}

test("COL-35 a stored password whose property is retyped is dropped, in cards and deck items too (T4)", async () => {
  const item = { id: { type: "slug" }, note: text, pin: password };
  await createSchema(ctx, { id: "pin-item", properties: item, required: ["id"], index: ["id"] });
  const card = { type: "card", schemaref: "pin-item" };
  const deck = { type: "deck", deckref: "pin-item" };
  await prepare("vault", { pass: password, code: password, card, deck });
  await createObject(ctx, "vault", {
    id: "a",
    pass: "first-secret",
    code: "second-secret",
    card: { id: "c", note: "n", pin: "third-secret" },
    deck: [{ id: "one", pin: "fourth-secret" }],
  });
  const paths = async () => Object.keys((await findSecrets(ctx.storage, "vault", "a")) ?? {}).sort();
  assert.deepEqual(await paths(), ["card.pin", "code", "deck.one.pin", "pass"]);

  const properties = { id: { type: "slug" }, pass: text, code: password, card, deck };
  await replaceSchema(ctx, "vault", { properties, required: ["id"], index: ["id", "pass"] });
  assert.deepEqual(await paths(), ["card.pin", "code", "deck.one.pin"]);
  await replaceSchema(ctx, "pin-item", { properties: { ...item, pin: text }, required: ["id"], index: ["id"] });
  assert.deepEqual(await paths(), ["code"]);
  const shown = (await getObject(ctx, "vault", "a")).text;
  for (const secret of ["secret", "argon2"]) assert.ok(!shown.includes(secret), shown);
});

test("COL-36 a damaged object is skipped, and the others are done", async () => {
  await prepare("damaged", { title: text });
  for (const id of ["a", "b", "c"]) await createObject(ctx, "damaged", { id, title: `Title ${id}` });
  await ctx.storage.write((tx) =>
    tx.run("UPDATE objects SET doc = '{\"id\":' WHERE collection = 'damaged' AND id = 'b'"),
  );
  await replaceSchema(ctx, "damaged", {
    properties: { id: { type: "slug" }, title: text },
    required: ["id"],
    index: ["id", "title"],
  });
  const titles = (await entriesOf("damaged")).map(({ idx }) => (JSON.parse(idx) as { title?: string }).title);
  assert.deepEqual(titles, ["Title a", undefined, "Title c"]);
  assert.equal((await getSettings(ctx, "damaged")).index.state, "ready");
  assert.equal((await ctx.storage.one<{ doc: string }>("SELECT doc FROM objects WHERE id = 'b'"))?.doc, '{"id":');
});

test("COL-37 a rebuild renews every entry and counts the objects", async () => {
  await prepare("spoiled", { title: text }, ["id", "title"]);
  for (const id of ["a", "b", "c"]) await createObject(ctx, "spoiled", { id, title: `Title ${id}` });
  const right = await entriesOf("spoiled");
  await ctx.storage.write(async (tx) => {
    await tx.run(`UPDATE object_index SET idx = ${tx.dialect.jsonParam} WHERE collection = 'spoiled'`, ["{}"]);
    await tx.run("UPDATE collections SET total_objects = 77 WHERE id = 'spoiled'");
  });
  await Promise.all(Array.from({ length: 10 }, () => rebuildIndex(ctx, "spoiled")));
  assert.deepEqual(await entriesOf("spoiled"), right);
  assert.equal((await getSettings(ctx, "spoiled")).totalObjects, 3);
});

test("COL-34 a newer schema restarts a running rebuild; the last one applies to every object", async () => {
  await prepare("moving", { title: text, n: { type: "number" } });
  for (let n = 0; n < 120; n += 1) await createObject(ctx, "moving", { id: `o${n}`, title: `Title ${n}`, n });
  const properties = { id: { type: "slug" }, title: text, n: { type: "number" } };
  await Promise.all(
    [["id", "title"], ["id"], ["id", "n"], ["id", "title", "n"]].map((index) =>
      replaceSchema(ctx, "moving", { properties, required: ["id"], index }),
    ),
  );
  await rebuildIndex(ctx, "moving");
  const revs = await ctx.storage.all("SELECT DISTINCT schema_rev AS rev FROM objects WHERE collection = 'moving'");
  const row = await ctx.storage.one("SELECT indexed_rev AS rev FROM collections WHERE id = 'moving'");
  assert.deepEqual(revs, [row]);
});

test("COL-32 a rebuild that was cut off is taken up at the next start", async () => {
  await prepare("cut", { title: text }, ["id", "title"]);
  for (let n = 0; n < 60; n += 1) await createObject(ctx, "cut", { id: `o${n}`, title: `Title ${n}` });
  const right = await entriesOf("cut");
  await ctx.storage.write(async (tx) => {
    await tx.run("UPDATE collections SET indexed_rev = 'before' WHERE id = 'cut'");
    await tx.run("UPDATE objects SET schema_rev = 'before' WHERE collection = 'cut' AND id > 'o3'");
    await tx.run(`UPDATE object_index SET idx = ${tx.dialect.jsonParam} WHERE collection = 'cut' AND id > 'o3'`, [
      "{}",
    ]);
    tx.touch("collections");
  });
  assert.equal((await getSettings(ctx, "cut")).index.state, "rebuilding");
  resumeReindex(ctx);
  await until(async () => (await getSettings(ctx, "cut")).index.state === "ready");
  assert.deepEqual(await entriesOf("cut"), right);
});

test("COL-38 a write begun under a schema and stored after the next one is indexed like the others", async () => {
  await prepare("late", { title: text, n: { type: "number" } });
  await createObject(ctx, "late", { id: "a", title: "Title a", n: 1 });
  const properties = { id: { type: "slug" }, title: text, n: { type: "number" } };
  /** Saved after the write has looked at the schema, and before it is stored. */
  let meanwhile: string[] | undefined;
  ctx.rules.add("late", {
    async check() {
      const index = meanwhile;
      meanwhile = undefined;
      if (index) await replaceSchema(ctx, "late", { properties, required: ["id"], index });
      return {};
    },
  });
  const saveMeanwhile = (index: string[]) => {
    meanwhile = index;
  };
  const entries = async () => {
    await until(async () => (await getSettings(ctx, "late")).index.state === "ready");
    return (await entriesOf("late")).map(({ idx }) => JSON.parse(idx));
  };
  saveMeanwhile(["id", "title"]);
  await createObject(ctx, "late", { id: "b", title: "Title b", n: 2 });
  const [a, b] = [
    { id: "a", title: "Title a" },
    { id: "b", title: "Title b" },
  ];
  assert.deepEqual(await entries(), [a, b]);
  saveMeanwhile(["id", "title", "n"]);
  await patchObject(ctx, "late", "a", { body: { title: "Title c" } });
  assert.deepEqual(await entries(), [
    { ...a, title: "Title c", n: 1 },
    { ...b, n: 2 },
  ]);
});

test("COL-38 an object indexed under an old schema after another process was done with the next is reindexed", async () => {
  await prepare("overtaken", { title: text, more: text });
  await createObject(ctx, "overtaken", { id: "a", title: "Title", more: "More" });
  const schema = { properties: { id: { type: "slug" }, title: text, more: text }, required: ["id"] };
  /** As another process does it, right before this one reads what it is to index. */
  const overtake = async (tx: Tx) => {
    await ctx.schemaFiles.put("overtaken", { id: "overtaken", ...schema, index: ["id", "more"] });
    const { rev = "" } = findFlatSchema(ctx, "overtaken") ?? {};
    await tx.run("UPDATE objects SET schema_rev = ? WHERE collection = 'overtaken'", [rev]);
    await tx.run("UPDATE collections SET indexed_rev = ? WHERE id = 'overtaken'", [rev]);
  };
  let isOvertaken = false;
  const storage: Storage = {
    ...ctx.storage,
    write: (work) =>
      ctx.storage.write((tx) =>
        work({
          ...tx,
          async all(sql, params) {
            const isFirst = !isOvertaken && sql.includes("attic");
            isOvertaken ||= isFirst;
            if (isFirst) await overtake(tx);
            return tx.all(sql, params);
          },
        }),
      ),
  };
  await replaceSchema({ ...ctx, storage }, "overtaken", { ...schema, index: ["id", "title"] });
  assert.equal(isOvertaken, true);
  const [entry] = await entriesOf("overtaken");
  assert.deepEqual(JSON.parse(entry?.idx ?? ""), { id: "a", more: "More" });
});

test("COL-33 writes during a rebuild are kept", async () => {
  await prepare("busy", { title: text }, ["id", "title"]);
  for (let n = 0; n < 200; n += 1) await createObject(ctx, "busy", { id: `o${n}`, title: "old" });
  const rebuild = rebuildIndex(ctx, "busy");
  await Promise.all(
    Array.from({ length: 200 }, (_, n) => patchObject(ctx, "busy", `o${n}`, { body: { title: `new ${n}` } })),
  );
  await rebuild;
  for (const { id, idx } of await entriesOf("busy"))
    assert.equal((JSON.parse(idx) as { title: string }).title, `new ${id.slice(1)}`);
});
