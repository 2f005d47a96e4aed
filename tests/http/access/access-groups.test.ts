// Access groups: their routes, and how users feel them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { makeGroup, makeUser, type SessionHeaders, signIn } from "../../matrix/sessions.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "note",
    properties: {
      id: { type: "slug" },
      title: { type: "string" },
      draft: { type: "boolean" },
      items: { type: "array", field: "deck" },
    },
    required: ["id"],
    index: ["id", "title"],
  });
  for (const id of ["alpha", "beta"]) {
    await server.makeCollection({ id, schema: "note" });
    await server.request("POST", `/api/collections/${id}`, { body: { id: "one", title: `Secret of ${id}` } });
  }
});
after(() => server.stop());

const path = "/api/access-groups";
const reading = (...allowed: string[]) => ({ collections: { operations: ["read"], all: false, allowed } });

function as(session: SessionHeaders, method: string, to: string, body?: unknown) {
  return server.request(method, to, { key: null, headers: session, ...(body !== undefined && { body }) });
}

test("GRP-40 the shipped groups are listed from the start, by id", async () => {
  const { status, body } = await server.request("GET", path);
  assert.equal(status, 200);
  const ids = body.data.map((group: { id: string }) => group.id);
  assert.deepEqual(ids, ["admin", "default", "editor", "member", "viewer"]);
  assert.deepEqual(Object.keys(body.data[0]), ["id", "description", "permissions"]);
});

test("GRP-41 POST makes a group; an id that is taken is 400", async () => {
  const body = { id: "authors", description: "Write the blog", permissions: reading("alpha") };
  const made = await server.request("POST", path, { body });
  assert.equal(made.status, 201);
  assert.ok(made.headers.get("location")?.endsWith("/api/access-groups/authors"));
  assert.deepEqual(made.body.data.permissions.collections, body.permissions.collections);
  assert.deepEqual((await server.request("GET", `${path}/authors`)).body, made.body);
  for (const id of ["authors", "editor", "default"]) {
    const again = await server.request("POST", path, { body: { ...body, id } });
    assert.equal(again.status, 400, id);
    assert.ok(again.body.error.details.id, id);
  }
});

test("GRP-42 PUT makes a group or replaces it whole", async () => {
  assert.equal((await server.request("PUT", `${path}/putters`, { body: { permissions: { docs: true } } })).status, 201);
  const replaced = await server.request("PUT", `${path}/putters`, { body: { id: "putters", description: "x" } });
  assert.equal(replaced.status, 200);
  assert.equal(replaced.body.data.permissions.docs, false);
  assert.equal((await server.request("PUT", `${path}/putters`, { body: { id: "others" } })).status, 400);
  assert.equal((await server.request("PUT", `${path}/No`, { body: {} })).status, 400);
});

test("GRP-40, GRP-42 a saved group replaces the shipped one", async () => {
  const saved = await server.request("PUT", `${path}/viewer`, { body: { description: "Ours", permissions: {} } });
  assert.equal(saved.status, 200);
  const { body } = await server.request("GET", path);
  assert.deepEqual(
    body.data.filter((group: { id: string }) => group.id === "viewer"),
    [saved.body.data],
  );
});

test("GRP-43 DELETE removes a group, once", async () => {
  await makeGroup(server, "shortlived", {});
  assert.equal((await server.request("DELETE", `${path}/shortlived`)).status, 204);
  for (const method of ["DELETE", "GET"])
    assert.equal((await server.request(method, `${path}/shortlived`)).status, 404, method);
});

test("GRP-43 a shipped group that was deleted stays away, also over a restart, until it is made again", async () => {
  assert.equal((await server.request("DELETE", `${path}/editor`)).status, 204);
  await server.restart();
  assert.equal((await server.request("GET", `${path}/editor`)).status, 404);
  assert.equal((await server.request("DELETE", `${path}/editor`)).status, 404);
  assert.equal((await server.request("POST", path, { body: { id: "editor" } })).status, 201);
  assert.equal((await server.request("GET", `${path}/editor`)).body.data.permissions.collections.all, false);
});

test("GRP-43, GRP-44 admin is neither saved nor deleted, default is not deleted", async () => {
  const before = (await server.request("GET", `${path}/admin`)).text;
  assert.equal((await server.request("PUT", `${path}/admin`, { body: { permissions: {} } })).status, 400);
  assert.equal((await server.request("POST", path, { body: { id: "admin" } })).status, 400);
  assert.equal((await server.request("DELETE", `${path}/admin`)).status, 400);
  assert.equal((await server.request("DELETE", `${path}/default`)).status, 400);
  assert.equal((await server.request("GET", `${path}/admin`)).text, before);
  assert.equal((await server.request("GET", `${path}/default`)).status, 200);
});

test("GRP-45 whatever is wrong is 400 with details, and nothing is saved", async () => {
  const bad = [{ all: 1 }, { operations: ["admin"] }, { allowed: [1] }, { extra: true }, [], null, "all"];
  for (const collections of bad) {
    const { status, body } = await server.request("PUT", `${path}/bad`, { body: { permissions: { collections } } });
    assert.equal(status, 400);
    assert.ok(Object.keys(body.error.details)[0]?.startsWith("permissions.collections"));
  }
  assert.equal((await server.request("PUT", `${path}/bad`, { body: [] })).status, 400);
  assert.equal((await server.request("GET", `${path}/bad`)).status, 404);
});

test("GRP-46 a group saved without permissions grants nothing", async () => {
  await server.request("POST", path, { body: { id: "empty" } });
  await makeUser(server, "emil", ["empty"]);
  const emil = await signIn(server, "emil");
  assert.deepEqual((await as(emil, "GET", "/api/collections")).body.data, []);
  assert.equal((await as(emil, "GET", "/api/collections/alpha")).status, 403);
});

test("GRP-47 a changed, widened or deleted group applies to the next request", async () => {
  await makeGroup(server, "movers", reading("alpha"));
  await makeUser(server, "mona", ["movers"]);
  const mona = await signIn(server, "mona");
  const sees = async () =>
    (await as(mona, "GET", "/api/collections")).body.data.map(({ name }: { name: string }) => name).join();
  assert.equal(await sees(), "alpha");
  await makeGroup(server, "movers", reading("alpha", "beta"));
  assert.equal(await sees(), "alpha,beta");
  await server.request("DELETE", `${path}/movers`);
  assert.equal(await sees(), "");
  assert.equal((await as(mona, "GET", "/api/collections/alpha/one")).status, 403);
});

test("GRP-47, GRP-50 a group set or deleted by a command applies to a running server", async () => {
  await makeGroup(server, "clerks", {});
  await makeUser(server, "carl", ["clerks"]);
  const carl = await signIn(server, "carl");
  assert.equal((await as(carl, "GET", "/api/collections/alpha")).status, 403);
  const json = JSON.stringify({ permissions: reading("alpha") });
  const set = await server.cli(["group:set", "clerks", "--data-json", json, "--json"]);
  assert.equal(set.code, 0, set.stderr);
  assert.equal(JSON.parse(set.stdout).id, "clerks");
  assert.equal((await as(carl, "GET", "/api/collections/alpha")).status, 200);
  const listed = JSON.parse((await server.cli(["group:list", "--json"])).stdout);
  assert.deepEqual(listed, (await server.request("GET", path)).body.data);
  assert.equal((await server.cli(["group:delete", "clerks"])).code, 0);
  assert.equal((await as(carl, "GET", "/api/collections/alpha")).status, 403);
  const failed = await server.cli(["group:get", "clerks"]);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /clerks/);
});

test("GRP-48 groups are for the admin persona: 401 without credentials, 403 to a user, 401 to a key without the star", async () => {
  await makeUser(server, "vera", []);
  const vera = await signIn(server, "vera");
  const limited = await server.request("POST", "/api/apikeys", {
    body: { name: "limited", methods: ["GET", "PUT"], endpoints: ["/settings", "/collections"] },
  });
  for (const [method, to, body] of [
    ["GET", path],
    ["POST", path, { id: "mine" }],
    ["GET", `${path}/default`],
    ["PUT", `${path}/default`, { permissions: { collections: { operations: ["delete"], all: true } } }],
    ["DELETE", `${path}/authors`],
  ] as const) {
    assert.equal((await server.request(method, to, { key: null, body })).status, 401, method);
    assert.equal((await as(vera, method, to, body)).status, 403, method);
    assert.equal((await server.request(method, to, { key: limited.body.data.key, body })).status, 401, method);
  }
  assert.equal((await server.request("GET", `${path}/mine`)).status, 404);
  assert.equal((await server.request("GET", `${path}/authors`)).status, 200);
});

test("GRP-49 of many concurrent creates of a group one succeeds (F15)", async () => {
  for (let round = 0; round < 5; round += 1) {
    const tries = Array.from({ length: 20 }, (_, at) =>
      server.request("POST", path, { body: { id: `race-${round}`, description: String(at) } }),
    );
    const answers = await Promise.all(tries);
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.equal(answers.filter(({ status }) => status === 400).length, 19);
    const made = answers.find(({ status }) => status === 201);
    assert.deepEqual((await server.request("GET", `${path}/race-${round}`)).body, made?.body);
  }
});

test("GRP-8 no route leads from one group's collection to another's (T15)", async () => {
  await makeGroup(server, "alphas", {
    collections: { operations: ["create", "read", "update", "delete"], all: false, allowed: ["alpha"] },
  });
  await makeUser(server, "adam", ["alphas"]);
  const adam = await signIn(server, "adam");
  const attempts: [string, string, unknown?][] = [];
  for (const root of ["/api/collections", "/api/objects", "/collections"]) {
    attempts.push(
      ["GET", `${root}/beta`],
      ["HEAD", `${root}/beta`],
      ["GET", `${root}/beta?search=secret`],
      ["GET", `${root}/beta/one`],
      ["HEAD", `${root}/beta/one`],
      ["GET", `${root}/beta/query`],
      ["GET", `${root}/beta/query?format=csv`],
      ["GET", `${root}/beta/index`],
      ["GET", `${root}/beta/schema`],
      ["GET", `${root}/beta/settings`],
      ["POST", `${root}/beta`, { id: "two" }],
      ["POST", `${root}/beta/one/clone`, { collection: "alpha", id: "stolen" }],
      ["POST", `${root}/alpha/one/clone`, { collection: "beta", id: "planted" }],
      ["PUT", `${root}/beta/one`, { title: "x" }],
      ["PATCH", `${root}/beta/one`, {}],
      ["DELETE", `${root}/beta/one`],
      ["PUT", `${root}/beta/one/title`, "x"],
      ["DELETE", `${root}/beta/one/title`],
      ["POST", `${root}/beta/one/items/deck`, { id: "a" }],
      ["GET", `${root}/beta/one/items/deck/a`],
    );
  }
  attempts.push(
    ["GET", "/api/report/collections/beta/json?fields=title"],
    ["GET", "/api/report/collections/beta/csv?fields=title"],
    ["GET", "/api/report/collections/beta/fields"],
    ["GET", "/api/export/collections/beta"],
    ["GET", "/api/export/collections/beta/csv"],
    ["POST", "/api/import/collections/beta/json", [{ id: "two" }]],
  );
  const before = (await server.request("GET", "/api/collections/beta")).text;
  for (const [method, to, body] of attempts) {
    const { status, text } = await as(adam, method, to, body);
    assert.equal(status, 403, `${method} ${to}`);
    assert.ok(!/secret/i.test(text), `${method} ${to}`);
  }
  assert.equal((await server.request("GET", "/api/collections/beta")).text, before);
  assert.equal((await server.request("GET", "/api/collections/alpha/stolen")).status, 404);
});

test("GRP-7 the list of collections and the API document show only what the caller may read (T16)", async () => {
  await makeUser(server, "anton", ["alphas"]);
  const anton = await signIn(server, "anton");
  const listed = await as(anton, "GET", "/api/collections");
  assert.deepEqual(
    listed.body.data.map(({ name }: { name: string }) => name),
    ["alpha"],
  );
  for (const root of ["/api/collections", "/api/objects", "/collections"]) {
    const { status, text } = await server.request("GET", root, { key: null });
    assert.equal(status, 200);
    assert.ok(!/alpha|beta|auth/.test(text), root);
  }
  const document = (await server.request("GET", "/api/openapi.json", { key: null })).body;
  assert.equal(document.components.schemas.note, undefined);
});

test("GRP-7 a missing collection looks like a closed one to callers that may not read all", async () => {
  const anton = await signIn(server, "anton");
  const [closed, missing] = await Promise.all([
    as(anton, "GET", "/api/collections/beta"),
    as(anton, "GET", "/api/collections/nowhere"),
  ]);
  assert.equal(closed.status, 403);
  assert.deepEqual(missing.body, closed.body);
});

test("GRP-9 callers that read a collection only because the public may see no drafts in it", async () => {
  await server.makeCollection({ id: "open", schema: "note", publicOperations: ["read", "update", "delete"] });
  await server.request("POST", "/api/collections/open", { body: { id: "done", title: "Shown" } });
  await server.request("POST", "/api/collections/open", { body: { id: "todo", title: "Hidden", draft: true } });
  const adam = await signIn(server, "adam");
  for (const headers of [{}, adam] as Record<string, string>[]) {
    for (const [method, to, body] of [
      ["GET", "/api/collections/open/todo"],
      ["PATCH", "/api/collections/open/todo", { draft: false }],
      ["PUT", "/api/collections/open/todo", { title: "Mine" }],
      ["PUT", "/api/collections/open/todo/title", "Mine"],
      ["DELETE", "/api/collections/open/todo"],
    ] as const)
      assert.equal((await server.request(method, to, { key: null, headers, body })).status, 404, `${method} ${to}`);
    for (const to of [
      "/api/collections/open",
      "/api/collections/open/query",
      "/api/collections/open/index",
      "/api/report/collections/open/json?fields=title",
      "/api/export/collections/open",
    ]) {
      const { status, text } = await server.request("GET", to, { key: null, headers });
      assert.equal(status, 200, to);
      assert.ok(text.includes("Shown") && !text.includes("Hidden"), to);
    }
  }
  assert.equal((await server.request("GET", "/api/collections/open/todo")).body.data.title, "Hidden");
  await makeGroup(server, "readers", reading("open"));
  await makeUser(server, "rita", ["readers"]);
  const rita = await signIn(server, "rita");
  assert.equal((await as(rita, "GET", "/api/collections/open/todo")).status, 200);
  assert.equal((await as(rita, "GET", "/api/collections/open")).body.data.length, 2);
});

test("GRP-23, GRP-24 schemas are listed and read by name, also through a collection's name", async () => {
  await server.makeSchema({ id: "hidden", properties: { id: { type: "slug" } }, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "note-2", schema: "hidden" });
  await makeGroup(server, "shapers", { schemas: { operations: ["read"], all: false, allowed: ["note", "note-2"] } });
  await makeUser(server, "sam", ["shapers"]);
  const sam = await signIn(server, "sam");
  const listed = await as(sam, "GET", "/api/schemas");
  assert.deepEqual(
    listed.body.schemas.map(({ name }: { name: string }) => name),
    ["note"],
  );
  assert.equal((await as(sam, "GET", "/api/schemas/note")).status, 200);
  for (const id of ["hidden", "note-2", "blog", "nowhere"])
    assert.equal((await as(sam, "GET", `/api/schemas/${id}`)).status, 403, id);
});
