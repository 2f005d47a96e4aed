// Each door names its writer: what the log says of writes that came by every way.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { automate, settledRuns } from "../../automations/samples.ts";
import { type Server, startServer } from "../../harness.ts";
import { asKey } from "../../mcp/tool-caller.ts";
import { connect, makeClient, withToken } from "../../support/oauth-app.ts";
import { picture, upload } from "../../support/sample-files.ts";
import { makeUser, type Person, signIn } from "../../support/sign-in.ts";

let server: Server;
let ada: Person;
const objects = "/api/collections/notes";

before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 }, history: { default: "full" } } });
  await server.makeSchema({ id: "part", properties: { text: { field: "text" } } });
  await server.makeSchema({
    id: "note",
    properties: {
      title: { field: "text" },
      count: { field: "number" },
      cover: { field: "image" },
      parts: { field: "deck", schemaref: "/schemas/part.json" },
    },
  });
  await server.makeCollection({ id: "notes", schema: "note" });
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(() => server.stop());

interface Named {
  grant?: string;
  client?: { name: string };
  automation?: string;
}
interface Said {
  kind: string;
  by: { actor: string; door: string; run?: string; user?: string; key?: object; writer: string } & Named;
}
const changesOf = async (id: string): Promise<Said[]> =>
  (await server.request("GET", `/api/history/notes/${id}`)).body.data;
const said = async (id: string) => {
  const [{ kind, by } = { kind: "", by: { actor: "", door: "" } }] = await changesOf(id);
  return [kind, by.actor.split(":")[0], by.door];
};

test("WRI-2 each way of writing names its caller and its door: every operation over HTTP", async () => {
  const steps: [name: string, send: () => Promise<{ status: number }>, id: string, expected: string[]][] = [
    ["key", () => server.request("POST", objects, { body: { id: "k", title: "A" } }), "k", ["create", "key", "api"]],
    [
      "session",
      () => ada.request("POST", objects, { body: { id: "s", title: "A" } }),
      "s",
      ["create", "user", "session"],
    ],
    ["put", () => ada.request("PUT", `${objects}/k`, { body: { title: "B" } }), "k", ["update", "user", "session"]],
    [
      "property",
      () => ada.request("PUT", `${objects}/k/title`, { body: "C" as never }),
      "k",
      ["update", "user", "session"],
    ],
    ["increment", () => ada.request("POST", `${objects}/k/count/increment`), "k", ["update", "user", "session"]],
    [
      "clone",
      () => ada.request("POST", `${objects}/k/clone`, { body: { id: "c" } }),
      "c",
      ["create", "user", "session"],
    ],
    [
      "deck",
      () => ada.request("POST", `${objects}/k/parts/deck`, { body: { id: "p", text: "x" } }),
      "k",
      ["update", "user", "session"],
    ],
    ["delete", () => ada.request("DELETE", `${objects}/s`), "s", ["delete", "user", "session"]],
  ];
  for (const [name, send, id, expected] of steps) {
    const { status } = await send();
    assert.ok(status < 300, `${name}: ${status}`);
    assert.deepEqual(await said(id), expected, name);
  }
  const bytes = await picture(20, 10);
  await upload(server, "notes/k/cover", { name: "a.jpg", bytes });
  assert.deepEqual(await said("k"), ["update", "key", "api"]);
  const [{ change } = { change: "" }] = (await changesOf("k")) as (Said & { change: string })[];
  // What a version had and is gone is left out, and named.
  assert.equal((await server.request("DELETE", `${objects}/k/cover`)).status < 300, true);
  const back = await server.request("POST", `/api/history/notes/k/${change}/restore`);
  const isKept = back.body.data.cover?.name === "a.jpg";
  assert.deepEqual([back.status, isKept ? null : "cover/a.jpg"], [200, back.headers.get("x-cairn-lost")]);
});

test("WRI-2 each way of writing names its caller and its door: agents, commands, imports and bulk changes", async () => {
  const agent = await asKey(server);
  await agent.ask("create_object", { collection: "notes", id: "m", data: { title: "A" } });
  assert.deepEqual(await said("m"), ["create", "key", "mcp"]);
  await server.cli(["object:create", "notes", "--data-json", '{"id":"l","title":"A"}']);
  assert.deepEqual(await said("l"), ["create", "system", "cli"]);
  const imported = await ada.request("POST", "/api/import/collections/notes/csv", {
    raw: "id,title\ni1,A\ni2,B\n",
    headers: { "content-type": "text/csv" },
  });
  assert.ok(imported.status < 300, imported.text);
  assert.deepEqual(await said("i1"), ["create", "user", "import"]);
  const [[one], [two]] = [await changesOf("i1"), await changesOf("i2")];
  assert.ok(one?.by.run !== undefined && one.by.writer === two?.by.writer);
  const bulk = await ada.request("POST", "/api/bulk/notes", {
    body: { operation: "patch", ids: ["i1", "i2"], expect: 2, body: { title: "Z" } },
  });
  assert.ok(bulk.status < 300, bulk.text);
  await until(async () => (await said("i1"))[0] === "update");
  assert.deepEqual(await said("i1"), ["update", "user", "session"]);
});

test("WRI-2 each way of writing names its caller and its door: tokens, automations and definitions", async () => {
  const client = await makeClient(server);
  const { accessToken } = await connect(server, ada, { client, scope: "cms:read cms:write" });
  await withToken(server, accessToken, "POST", objects, { body: { id: "t", title: "A" } });
  assert.deepEqual(await said("t"), ["create", "token", "api"]);
  const [{ by } = { by: {} as Said["by"] }] = await changesOf("t");
  assert.deepEqual([by.user, typeof by.grant, typeof by.client?.name], ["ada", "string", "string"]);
  // The token reads the history of what its user may change, and the trash is closed to it.
  const asToken = (method: string, path: string) => withToken(server, accessToken, method, path);
  assert.equal((await asToken("GET", "/api/history/notes/t")).status, 200);
  assert.equal((await asToken("GET", "/api/trash")).status, 403);
  const triggers = [{ type: "event", event: "object.deleted", collection: "notes" }];
  await automate(server, "keeper", { body: 'await ctx.objects.create("notes", { id: "auto", title: "A" })', triggers });
  await server.request("DELETE", `${objects}/t`);
  await settledRuns(server, "keeper", 1);
  const [made] = await changesOf("auto");
  assert.deepEqual([made?.by.door, made?.by.automation], ["automation", "keeper"]);
});

test("HIS-21, KEY-44 keys need an endpoint of the history or the trash, and public rights open neither", async () => {
  await server.makeCollection({ id: "open", schema: "note", publicOperations: ["create", "read", "update", "delete"] });
  await server.request("POST", "/api/collections/open", { key: null, body: { title: "A" } });
  const [{ id }] = (await server.request("GET", "/api/collections/open")).body.data;
  const now = new Date(Date.now() + 60_000).toISOString();
  const paths = [`/api/history/open/${id}`, `/api/history/open/${id}/properties`, "/api/trash?collection=open"];
  const past = `/api/collections/open/${id}?as_of=${now}`;
  for (const path of [...paths, past])
    assert.equal((await server.request("GET", path, { key: null })).status, 401, path);
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  for (const [endpoint, expected] of [
    ["/collections", [401, 401, 401, 401]],
    ["/collections,/history/notes", [401, 401, 401, 401]],
    ["/collections,/history/open", [200, 200, 401, 200]],
    ["/history", [401, 401, 401, 401]],
    ["/history/open", [401, 401, 401, 401]],
    ["/history,/export/collections/open", [200, 200, 401, 401]],
    ["/history,/imageworks", [401, 401, 401, 401]],
    ["/history/notes", [401, 401, 401, 401]],
    ["/trash", [401, 401, 401, 401]],
    ["/trash,/collections/open", [401, 401, 200, 401]],
    ["/trash,/collections/notes", [401, 401, 401, 401]],
    ["/trash,/report", [401, 401, 200, 401]],
    ["/trash,/imageworks,/download", [401, 401, 401, 401]],
  ] as const) {
    const { key } = await server.makeKey({ methods, endpoints: endpoint.split(",") });
    const asked = [...paths, past];
    const found = await Promise.all(asked.map(async (path) => (await server.request("GET", path, { key })).status));
    assert.deepEqual(found, expected, endpoint);
  }
});

test("HIS-22 the command line lists, shows and restores versions and deleted objects", async () => {
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await server.cli([...args, "--json"]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  await server.request("POST", objects, { body: { id: "cli", title: "A" } });
  await server.request("PATCH", `${objects}/cli`, { body: { title: "B" } });
  const { data } = await json("history:list", "notes", "cli");
  const [last, first] = data.map(({ change }: { change: string }) => change);
  assert.equal((await json("history:show", "notes", "cli", first)).title, "A");
  assert.equal((await json("history:show", "notes", "cli", last, "--diff", "previous"))[0].from, "A");
  assert.equal((await json("history:restore", "notes", "cli", first, "--property", "title")).title, "A");
  await server.request("DELETE", `${objects}/cli`);
  const [entry] = (await json("trash:list", "--collection", "notes")).data;
  assert.equal((await json("trash:restore", entry.change)).id, "cli");
  assert.deepEqual(await json("trash:empty", "notes", "--force"), { emptied: "notes" });
  assert.equal((await server.cli(["trash:empty", "notes"])).code, 2);
});
