import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCollection } from "#content/collections/collections.ts";
import { createSchema } from "#content/collections/schemas.ts";
import { createObject, deleteObject, patchObject, replaceObject } from "#content/objects/objects.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { invalidate } from "#storage/invalidate.ts";
import { findPage, keptPagesOf, servePage } from "./kept-pages.ts";
import { pageRequest, type Site, siteAnswers } from "./page-cache.fixture.ts";

let ctx: Context;
let close: () => Promise<void>;

before(async () => {
  ({ ctx, close } = await openTestContext());
  const text: Json = { type: "string", field: "text" };
  const number: Json = { type: "number" };
  const properties = {
    ...{ id: { type: "slug" }, title: text, status: text, body: text },
    ...{ tags: { type: "array" }, count: number, draft: { type: "boolean", field: "toggle" } },
  };
  await createSchema(ctx, { id: "post", properties, required: ["id"], index: ["id", "title", "status"] });
  await createCollection(ctx, { id: "posts", schema: "post" });
  for (const id of ["a", "b", "c"])
    await createObject(ctx, "posts", { id, title: id, status: "new", body: "x", count: 1 });
});
after(() => close());

const site: Site = new Map([
  ["/one", [{ kind: "get", collection: "posts", id: "a", read: ["body"] }]],
  ["/none", [{ kind: "get", collection: "posts", id: "later", read: ["body"] }]],
  ["/list", [{ kind: "query", collection: "posts", status: "new", limit: 2, isCounted: true, read: ["body"] }]],
]);
const paths = [...site.keys()];

/** Those that are sent without a question after the write; each is what a rendering would make. */
async function sentAtOnce(write: () => Promise<unknown>): Promise<string[]> {
  const answer = siteAnswers(ctx, site);
  // The first page of a collection in a process is looked at once more.
  for (const path of [...paths, ...paths]) await servePage(ctx, pageRequest(path), answer);
  await write();
  const found = paths.filter((path) => findPage(ctx, pageRequest(path), () => undefined) !== undefined);
  for (const path of paths) {
    const { octets } = await servePage(ctx, pageRequest(path), answer);
    const fresh = await answer(pageRequest(path), keptNothing);
    assert.equal(Buffer.from(octets, "latin1").toString(), fresh.body, path);
  }
  return found;
}

const none = () => {};
const keptNothing = {
  ...{ scope: none, object: none, absence: none, query: none, fact: none, parameter: none, template: none },
  ...{ visitor: none, expires: none, timed: none, include: none, never: none },
};
const patch = (id: string, body: Record<string, Json>) => () => patchObject(ctx, "posts", id, { body });

test("CACHE-19 a write to what a page did not read leaves it ready to be sent, without a question", async () => {
  const before = keptPagesOf(ctx).counters.validations;
  assert.deepEqual(await sentAtOnce(patch("a", { count: 2 })), paths);
  assert.ok(keptPagesOf(ctx).counters.validations > before);
  assert.deepEqual(await sentAtOnce(patch("c", { tags: ["x"], count: 3 })), paths);
  const many = async () => {
    for (let count = 10; count < 60; count += 1) await patch(count % 2 ? "a" : "b", { count })();
  };
  assert.deepEqual(await sentAtOnce(many), paths);
  const body = { title: "b", status: "new", body: "x", count: 70 };
  assert.deepEqual(await sentAtOnce(() => replaceObject(ctx, "posts", "b", { body })), paths);
});

test("CACHE-19 a write to something that a page may have read is looked at", async () => {
  assert.deepEqual(await sentAtOnce(patch("a", { body: "y" })), ["/none"], "it was read");
  assert.deepEqual(await sentAtOnce(patch("c", { body: "y" })), paths, "of an object behind the end of the list");
  assert.deepEqual(await sentAtOnce(patch("c", { title: "A" })), ["/one", "/none"], "it sorts");
  assert.deepEqual(await sentAtOnce(patch("b", { status: "old" })), ["/one", "/none"], "it filters");
  assert.deepEqual(await sentAtOnce(patch("a", { draft: true })), ["/none"], "a draft is not there");
  assert.deepEqual(await sentAtOnce(patch("a", { draft: false })), ["/none"]);
  const create = () => createObject(ctx, "posts", { id: "later", title: "z", status: "new", body: "z" });
  assert.deepEqual(await sentAtOnce(create), ["/one"], "the list and the absence");
  assert.deepEqual(await sentAtOnce(() => deleteObject(ctx, "posts", "later", {})), [], "a deletion");
});

test("CACHE-19 writes that this process does not know are looked at", async () => {
  const stamp = () => ctx.storage.write((tx) => invalidate(tx, "objects:posts", ctx.clock.iso()));
  assert.deepEqual(await sentAtOnce(stamp), [], "one that does not say what it changes");
  const between = async () => {
    await patch("b", { count: 80 })();
    await stamp();
    await patch("b", { count: 81 })();
  };
  assert.deepEqual(await sentAtOnce(between), [], "one of several");
  const tooMany = async () => {
    for (let count = 0; count < 120; count += 1) await patch("b", { count })();
  };
  assert.deepEqual(await sentAtOnce(tooMany), [], "more than are remembered");
  assert.deepEqual(await sentAtOnce(patch("b", { count: 82 })), paths);
});
