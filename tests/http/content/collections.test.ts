// Collections over HTTP: list, create, settings, delete, and what a schema change does to them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "note",
    properties: { id: { type: "slug" }, title: { type: "string" }, body: { type: "string" } },
    required: ["id"],
    index: ["id", "title"],
  });
});
after(() => server.stop());

const settingsOf = async (id: string) => (await server.request("GET", `/api/collections/${id}/settings`)).body.data;

async function fill(collection: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 25) {
    const posts = Array.from({ length: Math.min(25, count - from) }, (_, n) =>
      server.request("POST", `/api/collections/${collection}`, {
        body: { id: `o${from + n}`, title: `Title ${from + n}`, body: `Body ${from + n}` },
      }),
    );
    for (const answer of await Promise.all(posts)) if (answer.status !== 201) throw new Error(answer.text);
  }
}

test("COL-1 the list shows names, titles, counts and schemas, in order of name", async () => {
  await server.makeCollection({ id: "list-b", schema: "note", name: "Second" });
  await server.makeCollection({ id: "list-a", schema: "note" });
  await fill("list-b", 2);
  await server.request("DELETE", "/api/collections/list-b/o0");
  const { status, body } = await server.request("GET", "/api/collections");
  assert.equal(status, 200);
  const listed = body.data.filter(({ name }: { name: string }) => name.startsWith("list-"));
  assert.deepEqual(listed, [
    { name: "list-a", title: "List-a", count: 0, schema: "/schemas/note" },
    { name: "list-b", title: "Second", count: 1, schema: "/schemas/note" },
  ]);
});

test("COL-1 callers do not see a collection whose objects they may not read (T16)", async () => {
  await server.makeCollection({ id: "closed", schema: "note" });
  await server.makeCollection({ id: "drop-box", schema: "note", publicOperations: ["create", "update", "delete"] });
  await server.makeCollection({ id: "opened", schema: "note", publicOperations: ["read"] });
  await server.request("PATCH", "/api/collections/auth/settings", { body: { publicOperations: ["read"] } });
  for (const path of ["/api/collections", "/collections"]) {
    const { text, status } = await server.request("GET", path, { key: null });
    assert.equal(status, 200);
    assert.ok(text.includes("opened"));
    for (const hidden of ["closed", "drop-box", "auth"]) assert.ok(!text.includes(hidden), `${path} ${hidden}`);
  }
});

test("COL-2 an id that names a route, a folder or no slug is refused everywhere it can be born (T18)", async () => {
  const ids = ["", "schemas", "import", "export", "report", "templates", "builder", ".system", "..", "a/b", "A", "a b"];
  for (const id of [...ids, "x".repeat(101), "__proto__x/", "constructor", 7, null, ["a"]]) {
    const { status, body } = await server.request("POST", "/api/collections", { body: { id, schema: "note" } });
    assert.equal(status, 400, JSON.stringify(id));
    assert.ok(body.error.details.id, JSON.stringify(id));
  }
});

test("COL-12, COL-3, COL-18 creating answers 201 with the filled settings", async () => {
  const { status, body } = await server.request("POST", "/api/collections", {
    body: { id: "fresh", schema: "note", url: "https://example.com/notes", count: 9, totalObjects: 9, updated: "1999" },
  });
  assert.equal(status, 201);
  const { data } = body;
  assert.equal(data.name, "Fresh");
  assert.equal(data.url, "/notes");
  assert.deepEqual([data.groups, data.publicOperations, data.mcp], [[], [], { access: "admin" }]);
  assert.deepEqual([data.count, data.totalObjects, data.index.state], [0, 0, "ready"]);
  for (const time of [data.updated, data.lastUpdated]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(await settingsOf("fresh"), data);
});

test("COL-12 of many that create the same id one succeeds (F15)", async () => {
  for (let round = 0; round < 5; round += 1) {
    const body = { id: `race-${round}`, schema: "note" };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.request("POST", "/api/collections", { body })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(400)]);
    assert.ok(answers.find(({ status }) => status === 400)?.body.error.details.id);
  }
});

test("COL-13 a schema that is missing or does not exist is 400", async () => {
  for (const schema of [undefined, null, "", "nothing", "../note", 5, "__proto__"]) {
    const { status, body } = await server.request("POST", "/api/collections", { body: { id: "no-schema", schema } });
    assert.equal(status, 400, String(schema));
    assert.ok(body.error.details.schema, String(schema));
  }
  assert.equal((await server.request("GET", "/api/collections/no-schema")).status, 404);
});

test("COL-5 settings of a wrong type are 400 and change nothing", async () => {
  await server.makeCollection({ id: "strict", schema: "note", category: "kept" });
  const before = await settingsOf("strict");
  const wrong = {
    prettyUrl: "yes",
    groups: "admin",
    publicOperations: ["read", "own"],
    mcp: { access: "all" },
    category: "x",
  };
  for (const method of ["PUT", "PATCH"]) {
    const { status, body } = await server.request(method, "/api/collections/strict/settings", { body: wrong });
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body.error.details).sort(), ["groups", "mcp", "prettyUrl", "publicOperations"]);
  }
  for (const body of [[], 5, "text"])
    assert.equal((await server.request("PATCH", "/api/collections/strict/settings", { body })).status, 400);
  assert.deepEqual(await settingsOf("strict"), before);
});

test("COL-14, COL-15 PUT resets keys left out, PATCH keeps them", async () => {
  await server.makeCollection({
    id: "both",
    schema: "note",
    category: "a",
    sortBy: "title",
    sitemap: { enabled: true },
  });
  const patched = await server.request("PATCH", "/api/collections/both/settings", {
    body: { sitemap: { date: "created" } },
  });
  assert.deepEqual([patched.body.data.category, patched.body.data.sitemap], ["a", { date: "created" }]);
  const put = await server.request("PUT", "/api/collections/both/settings", {
    body: { sortBy: "id", feed: { on: true } },
  });
  assert.equal(put.status, 200);
  const { category, sitemap, schema, feed } = put.body.data;
  assert.deepEqual([category, sitemap, schema, feed], ["", undefined, "note", { on: true }]);
});

test("COL-15 changes of different keys at the same moment are all kept", async () => {
  await server.makeCollection({ id: "patches", schema: "note" });
  const keys = Array.from({ length: 20 }, (_, n) => `extra${n}`);
  await Promise.all(
    keys.map((key) => server.request("PATCH", "/api/collections/patches/settings", { body: { [key]: 1 } })),
  );
  const settings = await settingsOf("patches");
  assert.deepEqual(
    keys.filter((key) => settings[key] !== 1),
    [],
  );
});

test("COL-10, COL-6 `updated` moves only when the configuration differs", async () => {
  await server.makeCollection({ id: "stamped", schema: "note", category: "a" });
  const first = await settingsOf("stamped");
  await new Promise((resolve) => setTimeout(resolve, 5));
  for (const body of [first, { category: "a" }, {}, { count: 50, updated: "2001-01-01T00:00:00.000Z" }])
    await server.request("PATCH", "/api/collections/stamped/settings", { body });
  await server.request("PUT", "/api/collections/stamped/settings", { body: first });
  await fill("stamped", 1);
  const same = await settingsOf("stamped");
  assert.equal(same.updated, first.updated);
  assert.equal(same.count, 1);
  await server.request("PATCH", "/api/collections/stamped/settings", { body: { category: "b" } });
  assert.ok((await settingsOf("stamped")).updated > first.updated);
});

test("COL-16 the id cannot change", async () => {
  await server.makeCollection({ id: "fixed", schema: "note" });
  for (const method of ["PUT", "PATCH"]) {
    const answer = await server.request(method, "/api/collections/fixed/settings", { body: { id: "other" } });
    assert.equal(answer.status, 400);
    assert.ok(answer.body.error.details.id);
  }
  assert.equal((await server.request("PUT", "/api/collections/fixed/settings", { body: { id: "fixed" } })).status, 200);
});

test("COL-17 another schema shows and indexes the objects under it", async () => {
  await server.makeSchema({
    id: "note-2",
    properties: { id: { type: "slug" }, body: { type: "string" } },
    required: ["id"],
    index: ["id", "body"],
  });
  await server.makeCollection({ id: "moved", schema: "note" });
  await fill("moved", 3);
  const { status, body } = await server.request("PATCH", "/api/collections/moved/settings", {
    body: { schema: "note-2" },
  });
  assert.deepEqual([status, body.data.schema, body.data.index.state], [200, "note-2", "ready"]);
  const found = await server.request("GET", "/api/collections/moved/query?filter[body]=Body%201");
  assert.deepEqual(
    found.body.data.map(({ id }: { id: string }) => id),
    ["o1"],
  );
  assert.equal((await server.request("GET", "/api/collections/moved/o1")).body.data.title, undefined);
});

test("COL-18 count counts all created objects, totalObjects the present ones", async () => {
  await server.makeCollection({ id: "counted", schema: "note" });
  await fill("counted", 3);
  const filled = await settingsOf("counted");
  await new Promise((resolve) => setTimeout(resolve, 5));
  await server.request("DELETE", "/api/collections/counted/o1");
  const { count, totalObjects, lastUpdated } = await settingsOf("counted");
  assert.deepEqual([count, totalObjects], [3, 2]);
  assert.ok(lastUpdated > filled.lastUpdated);
});

test("COL-19 a collection with objects goes only when it is confirmed by its id", async () => {
  await server.makeCollection({ id: "precious", schema: "note" });
  await fill("precious", 2);
  for (const query of ["", "?confirm=", "?confirm=true", "?confirm=Precious"]) {
    const { status, body } = await server.request("DELETE", `/api/collections/precious${query}`);
    assert.equal(status, 400, query);
    assert.ok(body.error.details.confirm);
    assert.match(body.error.message, /add \?confirm=precious to the address/);
  }
  assert.equal((await server.request("GET", "/api/collections/precious")).body.data.length, 2);
  assert.equal((await server.request("DELETE", "/api/collections/precious?confirm=precious")).status, 204);
  assert.equal((await server.request("GET", "/api/collections/precious")).status, 404);
  assert.equal((await server.request("DELETE", "/api/collections/precious")).status, 404);
  await server.makeCollection({ id: "bare", schema: "note" });
  assert.equal((await server.request("DELETE", "/api/collections/bare")).status, 204);
});

test("COL-20, COL-21 a deleted collection leaves nothing behind, also for writes under way", async () => {
  for (let round = 0; round < 3; round += 1) {
    await server.makeCollection({ id: "phoenix", schema: "note" });
    await fill("phoenix", 150);
    const posts = Array.from({ length: 40 }, (_, n) =>
      server.request("POST", "/api/collections/phoenix", { body: { id: `late${n}`, title: "x" } }),
    );
    const deleted = server.request("DELETE", "/api/collections/phoenix?confirm=phoenix");
    for (const { status } of await Promise.all(posts)) assert.ok(status === 201 || status === 404, String(status));
    assert.equal((await deleted).status, 204);
    await server.makeCollection({ id: "phoenix", schema: "note" });
    assert.deepEqual((await server.request("GET", "/api/collections/phoenix")).body.data, []);
    assert.equal((await settingsOf("phoenix")).totalObjects, 0);
    await server.request("DELETE", "/api/collections/phoenix");
  }
});

test("COL-20 a deletion that a crash cuts off is finished at the next start", async () => {
  await server.makeCollection({ id: "half-gone", schema: "note" });
  await fill("half-gone", 1_500);
  const deletion = server.request("DELETE", "/api/collections/half-gone?confirm=half-gone").catch(() => undefined);
  await until(async () => (await server.request("HEAD", "/api/collections/half-gone")).status === 404);
  await server.kill();
  await deletion;
  await server.restart();
  assert.equal((await server.request("GET", "/api/collections/half-gone")).status, 404);
  const isFree = await until(
    async () =>
      (await server.request("POST", "/api/collections", { body: { id: "half-gone", schema: "note" } })).status === 201,
  );
  assert.ok(isFree);
  assert.deepEqual((await server.request("GET", "/api/collections/half-gone")).body.data, []);
});

test("COL-22 a reserved collection reads as empty, and its first write brings it into being", async () => {
  assert.deepEqual((await server.request("GET", "/api/collections/text")).body.data, []);
  assert.equal((await server.request("HEAD", "/api/collections/text")).status, 200);
  assert.equal((await settingsOf("text")).labelPlural, "Content");
  const names = async () =>
    (await server.request("GET", "/api/collections")).body.data.map(({ name }: { name: string }) => name);
  assert.ok(!(await names()).includes("text"));
  const posts = Array.from({ length: 10 }, (_, n) =>
    server.request("POST", "/api/collections/text", { body: { id: `t${n}`, text: "x" } }),
  );
  for (const { status, text } of await Promise.all(posts)) assert.equal(status, 201, text);
  assert.ok((await names()).includes("text"));
  assert.equal((await settingsOf("text")).totalObjects, 10);
});

test("COL-23 collections that features rely on keep their schema", async () => {
  for (const id of ["auth", "automations", "mailer", "builder-pages"]) {
    const patched = await server.request("PATCH", `/api/collections/${id}/settings`, { body: { schema: "note" } });
    assert.equal(patched.status, 400, id);
    assert.ok(patched.body.error.details.schema);
  }
  const created = await server.request("POST", "/api/collections", { body: { id: "dataviews", schema: "note" } });
  assert.equal(created.status, 400);
});

test("COL-24 the users' collection cannot be deleted while it holds one", async () => {
  const body = { email: "a@example.com", password: "long-enough-1", groups: ["admin"] };
  assert.equal((await server.request("POST", "/api/collections/auth", { body })).status, 201);
  assert.equal((await server.request("DELETE", "/api/collections/auth?confirm=auth")).status, 400);
  assert.equal((await server.request("GET", "/api/collections/auth")).body.data.length, 1);
});

test("COL-25, COL-26 settings are closed to the public, and an unknown collection is 404", async () => {
  await server.makeCollection({
    id: "shown",
    schema: "note",
    publicOperations: ["create", "read", "update", "delete"],
  });
  for (const id of ["shown", "no-such-thing"]) {
    for (const [method, path] of [
      ["GET", "/settings"],
      ["PUT", "/settings"],
      ["PATCH", "/settings"],
      ["DELETE", ""],
    ] as const) {
      const open = method === "GET" || method === "DELETE" ? {} : { body: {} };
      assert.equal((await server.request(method, `/api/collections/${id}${path}`, { key: null, ...open })).status, 401);
    }
  }
  assert.equal(
    (await server.request("POST", "/api/collections", { key: null, body: { id: "mine", schema: "note" } })).status,
    401,
  );
  for (const [method, path] of [
    ["GET", "/settings"],
    ["PUT", "/settings"],
    ["PATCH", "/settings"],
    ["DELETE", ""],
    ["PUT", "/index"],
  ] as const) {
    const open = method === "GET" || method === "DELETE" ? {} : { body: {} };
    assert.equal(
      (await server.request(method, `/api/collections/no-such-thing${path}`, open)).status,
      404,
      method + path,
    );
  }
});

const wide = { id: { type: "slug" }, title: { type: "string" }, body: { type: "string" } };

test("COL-30 a small collection is reindexed before the save of its schema is answered", async () => {
  await server.makeSchema({ id: "small-schema", properties: wide, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "small", schema: "small-schema" });
  await fill("small", 300);
  const body = { properties: wide, required: ["id"], index: ["id", "body"] };
  assert.equal((await server.request("PUT", "/api/schemas/small-schema", { body })).status, 200);
  assert.equal((await settingsOf("small")).index.state, "ready");
  const found = await server.request("GET", "/api/collections/small/query?filter[body]=Body%20299");
  assert.deepEqual(
    found.body.data.map((entry: { body: string }) => entry.body),
    ["Body 299"],
  );
});

test("COL-30, COL-31, COL-32 a large one goes on in the background, also after a crash", async () => {
  await server.makeSchema({ id: "large-schema", properties: wide, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "large", schema: "large-schema" });
  await fill("large", 1_500);
  // It may be over before anybody looks: then it has to be seen another time.
  let index = { state: "ready", done: 0, total: 0 };
  for (let tries = 0; tries < 20 && index.state === "ready"; tries += 1) {
    const body = { properties: wide, required: ["id"], index: tries % 2 ? ["id", "title", "body"] : ["id", "body"] };
    assert.equal((await server.request("PUT", "/api/schemas/large-schema", { body })).status, 200);
    ({ index } = await settingsOf("large"));
  }
  assert.equal(index.state, "rebuilding");
  assert.ok(index.done < index.total && index.total <= 1_500, JSON.stringify(index));
  await server.kill();
  await server.restart();
  assert.ok(await until(async () => (await settingsOf("large")).index.state === "ready"));
  const found = await server.request("GET", "/api/collections/large/query?search=body&limit=1");
  assert.equal(found.body.meta.pagination.total, 1_500);
});

test("COL-27 settings carry a strong ETag that counters move too, and 304 answers a client that has it", async () => {
  await server.makeCollection({ id: "tagged", schema: "note" });
  for (const id of ["tagged", "gallery"]) {
    const first = await server.request("GET", `/api/collections/${id}/settings`);
    const etag = String(first.headers.get("etag"));
    assert.match(etag, /^"[^"]+"$/);
    assert.equal(first.headers.get("cache-control"), "private, no-cache");
    const again = await server.request("GET", `/api/collections/${id}/settings`, {
      headers: { "if-none-match": etag },
    });
    assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
  }
  const before = (await server.request("GET", "/api/collections/tagged/settings")).headers.get("etag") as string;
  await fill("tagged", 1);
  const counted = await server.request("GET", "/api/collections/tagged/settings", {
    headers: { "if-none-match": before },
  });
  assert.deepEqual([counted.status, counted.body.data.totalObjects], [200, 1]);
});

test("COL-28 writes of settings, and the deletion, honour If-Match; objects written meanwhile do not matter", async () => {
  const path = "/api/collections/matched/settings";
  const made = await server.makeCollection({ id: "matched", schema: "note" });
  const write = (method: string, ifMatch: string, name: string) =>
    server.request(method, path, { body: { name }, headers: { "if-match": ifMatch } });
  const old = made.headers.get("etag") as string;
  await fill("matched", 1);
  const saved = await write("PATCH", old, "One");
  assert.equal(saved.status, 200);
  const now = saved.headers.get("etag") as string;
  for (const stale of [old, `W/${now}`, '"nothing"', '"nothing.at.all"'])
    for (const method of ["PUT", "PATCH"]) assert.equal((await write(method, stale, "Two")).status, 412);
  const gone = (ifMatch: string) =>
    server.request("DELETE", "/api/collections/matched?confirm=matched", { headers: { "if-match": ifMatch } });
  assert.equal((await gone(old)).status, 412);
  assert.equal((await settingsOf("matched")).name, "One");
  assert.equal((await write("PUT", `"other", ${now}`, "Three")).status, 200);
  assert.equal((await write("PUT", "*", "Four")).status, 200);
  const last = await server.request("GET", path);
  assert.equal((await gone(last.headers.get("etag") as string)).status, 204);
  assert.equal((await write("PUT", "*", "Five")).status, 404);
});

test("COL-28 a reserved collection that is refused does not come into being, and one that is not keeps its tag", async () => {
  const path = "/api/collections/depot/settings";
  const write = (ifMatch: string) =>
    server.request("PATCH", path, { body: { name: "Store" }, headers: { "if-match": ifMatch } });
  assert.equal((await write('"nothing"')).status, 412);
  const virtual = await server.request("GET", path);
  assert.equal(virtual.body.data.updated, "");
  assert.equal((await write(virtual.headers.get("etag") as string)).status, 200);
});

test("COL-28 of several changes with the same If-Match exactly one succeeds", async () => {
  const made = await server.makeCollection({ id: "raced", schema: "note" });
  const headers = { "if-match": made.headers.get("etag") as string };
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      server.request("PATCH", "/api/collections/raced/settings", { body: { name: `By ${at}` }, headers }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)]);
});

test("COL-9 answers name settings that have no effect", async () => {
  const path = "/api/collections";
  const body = { id: "odd-settings", schema: "text", hue: 1, mcp: { shade: 2 } };
  const made = await server.request("POST", path, { body });
  assert.deepEqual([made.status, made.headers.get("x-ignored")], [201, "hue;in=body, mcp.shade;in=body"]);
  const patched = await server.request("PATCH", `${path}/odd-settings/settings`, { body: { hue: 2, name: "Odd" } });
  assert.deepEqual([patched.body.data.hue, patched.headers.get("x-ignored")], [2, "hue;in=body"]);
  const { hue: _, mcp: __, ...settings } = (await server.request("GET", `${path}/odd-settings/settings`)).body.data;
  const replaced = await server.request("PUT", `${path}/odd-settings/settings`, { body: settings });
  assert.deepEqual([replaced.status, replaced.headers.get("x-ignored")], [200, null]);
  await server.request("DELETE", `${path}/odd-settings`);
});

test("COL-56 sortBy names a property of the schema", async () => {
  const path = "/api/collections";
  const made = await server.request("POST", path, { body: { id: "sorted", schema: "note", sortBy: "titel" } });
  assert.equal(made.status, 400);
  assert.deepEqual(made.body.error.details, {
    sortBy: ['The schema "note" has no property "titel". Did you mean "title"?'],
  });
  for (const sortBy of ["title", "id", "created", "modified"]) {
    const method = sortBy === "title" ? "POST" : "PATCH";
    const address = sortBy === "title" ? path : `${path}/sorted/settings`;
    const body = sortBy === "title" ? { id: "sorted", schema: "note", sortBy } : { sortBy };
    const { status, body: saved } = await server.request(method, address, { body });
    assert.deepEqual([status < 300, saved.data.sortBy], [true, sortBy]);
  }
  const changed = await server.request("PATCH", `${path}/sorted/settings`, { body: { sortBy: "nosuch" } });
  assert.deepEqual([changed.status, Object.keys(changed.body.error.details)], [400, ["sortBy"]]);
  await server.request("DELETE", `${path}/sorted`);
});
