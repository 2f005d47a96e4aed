// cairn mcp:test.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { makeUser } from "../support/sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "note",
    properties: { title: { field: "text" } },
    required: ["id"],
    index: ["id", "title"],
  });
  await server.makeCollection({ id: "notes", schema: "note", mcp: { access: "authenticated" } });
  await server.request("POST", "/api/collections/notes", { body: { id: "a", title: "A\u001b[31m" } });
  await makeUser(server, "ada", ["viewer"]);
});
after(() => server.stop());

const get = ["get_object", "--params", '{"collection":"notes","id":"a"}'];
const run = (...args: string[]) => server.cli(["mcp:test", ...args]);

test("MCT-90 a tool is called as the chosen caller", async () => {
  const byKey = await run(...get);
  assert.deepEqual([byKey.code, JSON.parse(byKey.stdout).id], [0, "a"]);
  const byAda = await run(...get, "--persona", "user:ada", "--json");
  assert.deepEqual([byAda.code, JSON.parse(byAda.stdout).structured.id], [0, "a"]);
  const byNobody = await run(...get, "--persona", "anonymous");
  assert.equal(byNobody.code, 1);
  assert.match(byNobody.stderr, /^Authentication required .*\n$/);
  const refused = await run("create_object", "--params", '{"collection":"notes","data":{}}', "--persona", "user:ada");
  assert.deepEqual(
    [refused.code, refused.stderr],
    [1, 'cairn: There is no tool "create_object" for the persona user:ada.\n'],
  );
});

test("MCT-90 without a tool the caller's tools are listed", async () => {
  const all = await run("--json");
  assert.ok(JSON.parse(all.stdout).some(({ name }: { name: string }) => name === "create_schema"));
  const few = JSON.parse((await run("--persona", "user:ada:cms:read,mcp:tools", "--json")).stdout);
  assert.deepEqual(
    few.map(({ scope }: { scope: string }) => scope),
    few.map(() => "cms:read"),
  );
});

test("MCT-90 wrong use ends with 2, a failing tool with 1, and data cannot steer the terminal", async () => {
  for (const args of [
    ["get_object", "--params", "[]"],
    ["get_object", "--persona", "somebody"],
    ["get_object", "--persona", "user:ada:cms:everything"],
  ])
    assert.equal((await run(...args)).code, 2, args.join(" "));
  assert.equal((await run(...get, "--persona", "user:nobody")).code, 1);
  const failed = await run("get_object", "--params", '{"collection":"notes","id":"b\\u001b[31m"}', "--json");
  assert.equal(failed.code, 1);
  const { isError, structured } = JSON.parse(failed.stdout);
  assert.deepEqual([isError, structured.error.code], [true, "not-found"]);
  for (const { stdout, stderr } of [failed, await run(...get)]) assert.ok(!(stdout + stderr).includes("\u001b"));
});
