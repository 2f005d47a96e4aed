// What callers with few rights learn and do through the log: by undo, trash, versions, streams and the list of writers.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { type OpenStream, openStream } from "../../support/change-stream.ts";
import { connect, makeClient, withToken } from "../../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../../support/sign-in.ts";

type Body = Record<string, unknown>;
let server: Server;
let editor: Person;

before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 }, changes: { publicStreams: true } } });
  const text = { type: "string", field: "text" };
  await server.makeSchema({ id: "note", properties: { title: text, draft: { type: "boolean", field: "toggle" } } });
  await server.makeCollection({ id: "news", schema: "note", history: "full", publicOperations: ["read"] });
  await server.makeCollection({ id: "payroll", schema: "note", history: "full" });
  await makeUser(server, "ed", ["editor"]);
  editor = await signIn(server, "ed");
});
after(() => server.stop());

const at = (collection: string, id = "") => `/api/collections/${collection}${id && `/${id}`}`;
const write = async (collection: string, body: Body) => {
  const { status, text } = await editor.request("POST", at(collection), { body });
  assert.equal(status, 201, text);
};
const find = async (collection: string, id: string) => (await server.request("GET", at(collection, id))).body.data;
const makeKey = async (methods: string[], endpoints: string[], more: Body = {}) => {
  const { key } = await server.makeKey({ methods, endpoints, ...more });
  return (method: string, path: string, body?: Body): Promise<Answer> =>
    server.request(method, path, { key, ...(body && { body }) });
};
const undo = { by: { user: "ed" } };

test("UND-15 a key undoes by its methods and endpoints, and sees nothing of other collections", async () => {
  await server.request("POST", at("news"), { body: { id: "kept", title: "First" } });
  await editor.request("PATCH", at("news", "kept"), { body: { title: "Second" } });
  await write("news", { id: "made", title: "Made" });
  await write("payroll", { id: "ceo", title: "Salary" });
  const actions = async (answer: Answer) => {
    assert.equal(answer.status, 200, answer.text);
    const { items } = answer.body.data as { items: { collection: string; id: string; action: string }[] };
    return items.map(({ collection, id, action }) => `${collection}/${id} ${action}`).sort();
  };
  const published = await makeKey(["GET", "POST"], ["*"], { published: true });
  assert.equal((await published("POST", "/api/undo", undo)).status, 401);
  const posts = await makeKey(["GET", "POST"], ["/undo", "/collections/news"]);
  assert.deepEqual(await actions(await posts("POST", "/api/undo", undo)), ["news/kept keep", "news/made keep"]);
  const patches = await makeKey(["POST", "PATCH"], ["/undo", "/collections/news"]);
  assert.deepEqual(await actions(await patches("POST", "/api/undo", undo)), ["news/kept revert", "news/made keep"]);
  const [, byAll] = [await posts("POST", "/api/undo", undo), await makeKey(["GET", "POST"], ["*"])];
  const everywhere = ["news/kept keep", "news/made keep", "payroll/ceo keep"];
  assert.deepEqual(await actions(await byAll("POST", "/api/undo", undo)), everywhere);
  // The job has no more rights than the preview.
  for (const [key, left] of [
    [posts, ["Second", "Made"]],
    [patches, ["First", "Made"]],
  ] as const) {
    const { plan } = (await key("POST", "/api/undo", undo)).body.data;
    const started = await key("POST", "/api/undo", { ...undo, apply: plan, force: ["news/made"] });
    assert.equal(started.status, 202, started.text);
    await until(
      () => server.request("GET", `/api/jobs/${started.body.data.job}`),
      ({ body }) => body.data.status === "succeeded",
    );
    assert.deepEqual([(await find("news", "kept")).title, (await find("news", "made")).title], left);
  }
});

test("UND-15 an object that others edited is deleted by force only with the method for it", async () => {
  await write("news", { id: "shared", title: "Made" });
  await server.request("PATCH", at("news", "shared"), { body: { title: "Edited" } });
  const key = await makeKey(["POST", "PATCH"], ["/undo", "/collections/news"]);
  const { plan, items } = (await key("POST", "/api/undo", undo)).body.data;
  const shared = items.find(({ id }: { id: string }) => id === "shared");
  assert.deepEqual([shared.action, shared.conflict], ["keep", "edited"]);
  const started = await key("POST", "/api/undo", { ...undo, apply: plan, force: ["news/shared"] });
  await until(
    () => server.request("GET", `/api/jobs/${started.body.data.job}`),
    ({ body }) => body.data.status === "succeeded",
  );
  assert.equal((await find("news", "shared")).title, "Edited");
});

test("UND-15 users that have lost a collection do not learn who wrote there later", async () => {
  const permissions = { collections: { operations: ["create", "read", "update"], all: false, allowed: ["payroll"] } };
  await server.request("PUT", "/api/access-groups/payers", { body: { permissions } });
  await makeUser(server, "pay", ["payers"]);
  const payer = await signIn(server, "pay");
  await server.request("POST", at("payroll"), { body: { id: "cto", title: "A" } });
  await payer.request("PATCH", at("payroll", "cto"), { body: { title: "B" } });
  await editor.request("PATCH", at("payroll", "cto"), { body: { title: "C" } });
  const preview = () => payer.request("POST", "/api/undo", { body: { by: { user: "pay" } } });
  assert.match((await preview()).text, /"user":"ed"/);
  await server.request("PATCH", at("auth", "pay"), { body: { groups: ["viewer"] } });
  const { status, text } = await preview();
  assert.equal(status, 200, text);
  assert.doesNotMatch(text, /"user":"ed"|"from"/);
});

test("UND-16 one caller has at most two plans made at the same time", async () => {
  const rows = Array.from({ length: 1_000 }, (_, number) => ({ id: `row${number}`, title: "x" }));
  const imported = await editor.request("POST", "/api/import/collections/news/json", { body: rows as never });
  assert.ok(imported.status < 300, imported.text);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => editor.request("POST", "/api/undo", { body: undo })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0 && answers.some(({ status }) => status === 200));
  assert.equal(answers.filter(({ status }) => status !== 200 && status !== 429).length, 0);
  assert.ok(refused.every(({ headers }) => headers.has("retry-after")));
  assert.equal((await editor.request("POST", "/api/undo", { body: undo })).status, 200);
});

test("TRA-7 a deletion is no way to read: the trash takes the right to read as well", async () => {
  const permissions = { collections: { operations: ["create", "delete"], all: false, allowed: ["payroll"] } };
  await server.request("PUT", "/api/access-groups/droppers", { body: { permissions } });
  await makeUser(server, "drop", ["droppers"]);
  const dropper = await signIn(server, "drop");
  await write("payroll", { id: "cfo", title: "Salary of the CFO" });
  assert.equal((await dropper.request("GET", at("payroll", "cfo"))).status, 403);
  assert.equal((await dropper.request("DELETE", at("payroll", "cfo"))).status, 204);
  assert.deepEqual((await dropper.request("GET", "/api/trash")).body.data, []);
  assert.equal((await dropper.request("GET", "/api/trash?collection=payroll")).status, 403);
  const [{ change }] = (await server.request("GET", "/api/trash?collection=payroll")).body.data;
  assert.equal((await dropper.request("POST", `/api/trash/${change}/restore`)).status, 403);
  assert.equal((await server.request("POST", `/api/trash/${change}/restore`)).status, 200);
});

test("HIS-24, KEY-44 a key restores a version only with a method that changes objects", async () => {
  await write("news", { id: "old", title: "A" });
  await editor.request("PATCH", at("news", "old"), { body: { title: "B" } });
  const { data } = (await server.request("GET", "/api/history/news/old")).body;
  const path = `/api/history/news/old/${data.at(-1).change}/restore`;
  for (const endpoints of [["*"], ["/history/news", "/collections/news"]]) {
    assert.equal((await (await makeKey(["GET", "POST"], endpoints))("POST", path)).status, 401, String(endpoints));
    assert.equal((await (await makeKey(["GET", "POST", "PATCH"], endpoints))("POST", path)).status, 200);
  }
  for (const endpoints of [["/history"], ["/history/news", "/export/collections/news"]])
    assert.equal((await (await makeKey(["GET", "POST", "PATCH"], endpoints))("POST", path)).status, 401);
});

test("HIS-15 what only the service writes is not restored", async () => {
  await server.setSetting("history.default", "full");
  const body = { id: "v", name: "V", definition: "export default async () => []" };
  const made = await server.request("POST", at("dataviews"), { body });
  assert.equal(made.status, 201, made.text);
  await server.request("PATCH", at("dataviews", "v"), { body: { name: "W" } });
  const { data } = (await server.request("GET", "/api/history/dataviews/v")).body;
  const path = `/api/history/dataviews/v/${data.at(-1).change}/restore`;
  const named = await server.request("POST", path, { body: { properties: ["lastBuilt"] } });
  assert.deepEqual([named.status, Object.keys(named.body.error.details)], [400, ["properties"]]);
  assert.equal((await server.request("POST", path)).body.data.name, "V");
  await server.setSetting("history.default", null);
});

test("FEED-17 one caller has at most half of all streams, a network without credentials a fiftieth", async () => {
  await server.setSetting("changes.maxStreams", 200);
  const streams: OpenStream[] = [];
  const open = async (key?: string | null) => {
    const made = await openStream(server, "after=now", key === undefined ? {} : { key });
    streams.push(made);
    return made.status;
  };
  const other = await server.makeKey();
  try {
    for (const [key, most] of [
      [null, 4],
      [undefined, 100],
    ] as const) {
      const statuses = await Promise.all(Array.from({ length: most }, () => open(key)));
      assert.ok(statuses.every((status) => status === 200));
      assert.equal(await open(key), 429);
    }
    assert.equal(await open(other.key), 200);
    streams.find(({ status }) => status === 200)?.close();
    await until(async () => (await open(null)) === 200);
  } finally {
    for (const stream of streams) stream.close();
    await server.setSetting("changes.maxStreams", null);
  }
});

test("FEED-18 an access token sees the writers of its own grant alone", async () => {
  const tokens: string[] = [];
  for (const id of ["t1", "t2"]) {
    const client = await makeClient(server);
    const { accessToken } = await connect(server, editor, { client, scope: "cms:read cms:write" });
    await withToken(server, accessToken, "POST", at("news"), { body: { id, title: id } });
    tokens.push(accessToken);
  }
  const [first = "", second = ""] = await Promise.all(
    tokens.map(async (token) => {
      const { status, body, text } = await withToken(server, token, "GET", "/api/writers");
      assert.equal(status, 200, text);
      assert.equal(body.data.length, 1, text);
      return String(body.data[0].grant);
    }),
  );
  assert.notEqual(first, second);
  const { data } = (await editor.request("GET", "/api/writers")).body;
  assert.ok([first, second].every((grant) => data.some((writer: Body) => writer.grant === grant)));
});
