// Asking the person before something is deleted, in this process: what a client can ask is the transport's business.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCollection } from "#content/collections/collections.ts";
import { createSchema, getSchema } from "#content/collections/schemas.ts";
import { createObject, getObject } from "#content/objects/objects.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { findTool } from "./catalogue.ts";
import type { Tool, ToolResult } from "./tool.ts";

let ctx: Context;
let close: () => Promise<void>;
before(async () => {
  const opened = await openTestContext();
  close = opened.close;
  ctx = { ...opened.ctx, surface: "mcp" };
  await createSchema(ctx, { id: "note", properties: { title: { field: "text" } }, required: ["id"], index: ["id"] });
  await createSchema(ctx, { id: "spare", properties: { title: { field: "text" } }, required: ["id"], index: ["id"] });
  await createCollection(ctx, { id: "notes", schema: "note" });
  await createObject(ctx, "notes", { id: "a" });
});
after(() => close());

const asked: string[] = [];

async function call(name: string, args: JsonObject, answer: boolean): Promise<ToolResult> {
  const tool = (await findTool(ctx, name)) as Tool;
  const confirm = async (message: string) => {
    asked.push(message);
    return answer;
  };
  return tool.call(ctx, args, { confirm, signal: new AbortController().signal });
}

test("MCT-8 after a no nothing has changed", async () => {
  for (const [name, args] of [
    ["delete_object", { collection: "notes", id: "a" }],
    ["delete_schema", { id: "spare" }],
    ["clear_cache", {}],
  ] as [string, JsonObject][]) {
    const { isError, text } = await call(name, args, false);
    assert.equal(isError, true, name);
    assert.match(text, /Nothing has changed/);
  }
  assert.equal((await getObject(ctx, "notes", "a")).id, "a");
  assert.equal((await getSchema(ctx, "spare")).id, "spare");
  assert.deepEqual(asked, [
    "Delete notes/a for good, with its files?",
    "Delete the schema spare for good?",
    "Clear the caches of the whole site?",
  ]);
});

test("MCT-8 after a yes it is done", async () => {
  assert.equal((await call("delete_object", { collection: "notes", id: "a" }, true)).isError, undefined);
  await assert.rejects(getObject(ctx, "notes", "a"));
});

test("MCT-8 changes that delete nothing do not ask", async () => {
  asked.length = 0;
  await call("create_object", { collection: "notes", id: "b", data: {} }, false);
  await call("patch_object", { collection: "notes", id: "b", data: { title: "x" } }, false);
  assert.deepEqual(asked, []);
});
