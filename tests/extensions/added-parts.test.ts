// What extensions add at the root of the website, to the description of the API, to schemas and to templates of their own, and
// where an installation uses them.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

const code = `export function register(cairn) {
  cairn.siteRoute("hook", async ({ method, params, query, headers, body, actor }) => ({
    status: 201,
    headers: { "x-own": "1", "set-cookie": "a=b" },
    body: { method, params, query, cookie: headers.cookie ?? null, body, actor: actor.kind },
  }));
  cairn.siteRoute("page", async () => ({ headers: { "content-type": "text/html" }, body: "<h1>Own</h1>" }));
  cairn.route("card", async (call) => {
    const own = await cairn.own.render("ext/acme/parts/card", { name: "<Ada>" });
    const site = await call.as.render("mails/hello", { name: "Ada" }).catch((error) => error.status);
    const never = await cairn.own.render("mails/hello", {}).catch((error) => error.status);
    const up = await cairn.own.render("ext/acme/parts/../../index", {}).catch((error) => error.status);
    return { body: { own, site, never, up } };
  });
  cairn.route("bytes", async ({ body }) => ({ body: { size: body.length, first: body[0] } }));
  cairn.route("stream", async ({ body }) => {
    let size = 0;
    let chunks = 0;
    for await (const chunk of body) { size += chunk.length; chunks += 1; }
    return { body: { size, isMany: chunks > 1 } };
  });
  cairn.route("closed", async () => ({ body: {} }));
  cairn.pageStep("guard", async () => "go");
  cairn.formAction("crm", async () => {});
}`;
const contributes = {
  siteRoutes: [
    { name: "hook", method: "POST", path: "/hooks/{id}", limit: 4 },
    { name: "page", method: "GET", path: "/own-page" },
  ],
  routes: [
    {
      name: "card",
      method: "POST",
      path: "/card/{id}",
      access: "public",
      summary: "Makes a card",
      input: { type: "object", properties: { size: { type: "number" } } },
      output: { type: "object", properties: { own: { type: "string" } } },
    },
    { name: "bytes", method: "POST", path: "/bytes", access: "public", body: "bytes" },
    { name: "stream", method: "PUT", path: "/stream", access: "key", body: "stream" },
    { name: "closed", method: "GET", path: "/closed", access: "admin" },
  ],
  fields: [{ kind: "place", type: "json" }],
  pageSteps: [{ name: "guard", title: "Guard" }],
  formActions: [{ name: "crm", title: "CRM" }],
  schemas: ["schemas/place.json", "schemas/trip.json"],
  templates: "templates",
};
const place = {
  title: "A place",
  properties: {
    title: { type: "string", field: "text" },
    at: { field: "acme/parts:place" },
    rank: { type: "number" },
  },
  index: ["title"],
};
const trip = {
  inheritFrom: ["acme-parts-place"],
  properties: { stops: { type: "deck", field: "deck", deckref: "acme-parts-place" } },
};

let server: Server;
const writeParts = (schema: object = place) =>
  writeExtension(join(server.dataDir, "extensions"), {
    id: "acme/parts",
    manifest: { contributes },
    files: {
      "index.ts": code,
      "schemas/place.json": JSON.stringify(schema),
      "schemas/trip.json": JSON.stringify(trip),
      "templates/card.liquid": "Card of {{ name }}{% render 'ext/acme/parts/foot' %}",
      "templates/foot.liquid": "!",
    },
  });

before(async () => {
  server = await startServer();
  const folder = join(server.dataDir, "extensions");
  writeParts();
  const siteRoutes = [{ name: "hook", method: "GET", path: "/api/x" }];
  writeExtension(folder, {
    id: "acme/wide",
    manifest: { contributes: { siteRoutes } },
    files: { "index.ts": "export function register(cairn) { cairn.siteRoute('hook', async () => ({})); }" },
  });
  await enableExtension(server, "acme/parts");
});
after(() => server.stop());

test("EXT-59 a route at the root of the website is for everybody, and never a path of the service", async () => {
  const sent = { cookie: "cairn_session=x; a=b", authorization: "Bearer x" };
  const made = await server.request("POST", "/hooks/one?q=1&q=2", { key: null, headers: sent, body: { a: 1 } });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual([made.headers.get("x-own"), made.headers.get("set-cookie")], ["1", null]);
  const { actor, cookie, body, params, query } = made.body;
  assert.deepEqual(
    [actor, cookie, body, params, query],
    ["anonymous", null, { a: 1 }, { id: "one" }, { q: ["1", "2"] }],
  );
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const posted = await fetch(`${server.url}/hooks/two`, { method: "POST", headers: form, body: "a=1&b=2" });
  assert.deepEqual(((await posted.json()) as { body: unknown }).body, { a: "1", b: "2" });
  const json = { "content-type": "application/json" };
  assert.equal((await server.request("POST", "/hooks/bad", { key: null, raw: "{", headers: json })).status, 400);
  const page = await server.request("GET", "/own-page", { key: null });
  assert.deepEqual([page.status, page.text], [200, "<h1>Own</h1>"]);
  assert.match(page.headers.get("content-security-policy") ?? "", /sandbox/);
  const statuses = [];
  // A window may end in between; two windows hold eight.
  for (let n = 0; n < 9; n += 1)
    statuses.push((await server.request("POST", "/hooks/n", { key: null, body: {} })).status);
  assert.ok(statuses.includes(429), String(statuses));
  assert.equal((await server.request("GET", "/hooks/one", { key: null })).status, 404);
  const { body: wide } = await server.request("GET", "/api/extensions/acme/wide");
  assert.deepEqual([wide.data.state, /siteRoutes\.hook\.path/.test(wide.data.error)], ["invalid", true]);
});

test("EXT-60 the OpenAPI document has the routes of extensions that the caller may call", async () => {
  const { body } = await server.request("GET", "/api/openapi.json");
  const card = body.paths["/api/ext/acme/parts/card/{id}"].post;
  assert.deepEqual([card.summary, card.tags], ["Makes a card", ["Extension acme/parts"]]);
  assert.equal(card.requestBody.content["application/json"].schema.properties.size.type, "number");
  assert.ok(body.paths["/api/ext/acme/parts/closed"]);
  const ids = Object.values(body.paths).flatMap((path) =>
    Object.values(path as object).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
  const open = await server.request("GET", "/api/openapi.json", { key: null });
  if (open.status === 200) assert.equal(open.body.paths["/api/ext/acme/parts/closed"], undefined);
});

test("EXT-61 render fills templates of the extension; those of the site with the rights of the caller", async () => {
  await server.request("PUT", "/api/templates/mails/hello", { body: { template: "Hello {{ name }}" } });
  const { body } = await server.request("POST", "/api/ext/acme/parts/card/1", { body: {} });
  assert.deepEqual([body.own, body.never, body.up], ["Card of &lt;Ada&gt;!", 404, 404]);
  const stranger = await server.request("POST", "/api/ext/acme/parts/card/1", { key: null, body: {} });
  assert.equal(stranger.body.site, 404);
});

test("EXT-16 the record of an extension names the properties, pages and forms that use it", async () => {
  await server.makeSchema({ id: "spot", properties: { at: { field: "acme/parts:place" } }, index: [] });
  const forms = {
    contact: { fields: ["at"], actions: [{ type: "extension", extension: "acme/parts", name: "crm" }] },
  };
  await server.makeCollection({ id: "spots", schema: "spot", forms });
  const page = {
    id: "home",
    title: "Home",
    route: "/home",
    template: "ext/acme/parts/card",
    middleware: ["acme/parts:guard"],
  };
  const made = await server.request("POST", "/api/collections/builder-pages", { body: page });
  assert.equal(made.status, 201, made.text);
  const { body } = await server.request("GET", "/api/extensions/acme/parts");
  const { properties, ...others } = body.data.uses;
  assert.deepEqual(properties, ["spot.at"]);
  assert.deepEqual(others, { schemas: [], collections: [], pages: ["home"], forms: ["spots/contact"] });
});

test("EXT-63 a route that says so gets bodies that are no JSON, as bytes or as a stream", async () => {
  const headers = { "content-type": "image/png" };
  const send = (method: string, path: string, raw: Uint8Array, more = {}) =>
    server.request(method, `/api/ext/acme/parts/${path}`, { raw, headers, ...more });
  assert.deepEqual((await send("POST", "bytes", new Uint8Array([7, 1, 2]))).body, { size: 3, first: 7 });
  const size = 12_000_000;
  assert.deepEqual((await send("PUT", "stream", new Uint8Array(size))).body, { size, isMany: true });
  assert.equal((await send("POST", "bytes", new Uint8Array(size))).status, 413);
  assert.equal(
    (await send("POST", "bytes", new Uint8Array(300_000), { key: null })).status,
    413,
    "the public sends less",
  );
  assert.equal((await send("POST", "card/1", new Uint8Array([1]))).status, 415);
  assert.equal((await send("PUT", "stream", new Uint8Array(10), { key: null })).status, 401);
});

test("EXT-30 schemas of an extension are listed, used and inherited from, and cannot be changed", async () => {
  const listed = await server.request("GET", "/api/schemas?filter=reserved&details=true");
  const found = listed.body.schemas.find(({ name }: { name: string }) => name === "acme-parts-trip");
  assert.deepEqual([found?.extension, found?.isBuiltIn], ["acme/parts", false], listed.text);
  assert.doesNotMatch((await server.request("GET", "/api/schemas?filter=custom")).text, /acme-parts/);
  const read = await server.request("GET", "/api/schemas/acme-parts-trip");
  assert.deepEqual(
    [read.status, Object.keys(read.body.properties).sort()],
    [200, ["at", "id", "rank", "stops", "title"]],
  );
  for (const [method, path] of [
    ["PUT", "/api/schemas/acme-parts-place"],
    ["DELETE", "/api/schemas/acme-parts-place"],
    ["POST", "/api/schemas"],
    ["POST", "/api/import/schemas"],
  ] as const) {
    const body = method === "DELETE" ? undefined : { id: "acme-parts-place", properties: {} };
    const refused = await server.request(method, path, { body });
    assert.equal(refused.status, 400, `${method} ${path}`);
    assert.match(refused.text, /belongs to the extension acme\/parts/);
  }
  await server.makeSchema({ id: "own-place", inheritFrom: ["acme-parts-place"], properties: {}, index: [] });
  await server.makeCollection({ id: "places", schema: "acme-parts-place" });
  const made = await server.request("POST", "/api/collections/places", {
    body: { id: "bern", title: "Bern", rank: 2 },
  });
  assert.equal(made.status, 201, made.text);
  const wrong = await server.request("POST", "/api/collections/places", { body: { id: "x", rank: "no" } });
  assert.equal(wrong.status, 400);
  const { uses } = (await server.request("GET", "/api/extensions/acme/parts")).body.data;
  assert.deepEqual([uses.schemas, uses.collections], [["own-place"], ["places"]]);
});

test("EXT-31 a new version of a schema is followed, and one that cannot be used is refused", async () => {
  writeParts({ ...place, index: ["title", "rank"] });
  await server.request("GET", "/api/extensions");
  await until(async () => {
    const answer = await server.request("GET", "/api/collections/places?filter[rank][gt]=1");
    return answer.status === 200 && answer.body.data.length === 1;
  });
  const bad = { contributes: { schemas: ["bad.json"] }, entrypoint: undefined };
  const schema = { inheritFrom: ["nowhere"], properties: { a: { type: "number", field: "acme/parts:place" } } };
  writeExtension(join(server.dataDir, "extensions"), {
    id: "acme/bad",
    manifest: bad,
    files: { "bad.json": JSON.stringify(schema) },
  });
  const { body } = await server.request("GET", "/api/extensions/acme/bad");
  const refused = await server.request("POST", "/api/extensions/acme/bad/enable", {
    body: { approve: body.data.fingerprint },
  });
  assert.equal(refused.status, 400, refused.text);
  assert.match(refused.text, /inherits from .*nowhere/);
  assert.match(refused.text, /has the type json/);
});

test("EXT-32 schemas that are in use outlive the extension, others go with it", async () => {
  const off = await server.request("POST", "/api/extensions/acme/parts/disable");
  assert.equal(off.status, 200, off.text);
  const patched = await server.request("PATCH", "/api/collections/places/bern", { body: { rank: 3 } });
  assert.deepEqual([patched.status, patched.body.data.rank], [200, 3]);
  assert.equal((await server.request("GET", "/api/schemas/acme-parts-place")).status, 200);
  assert.equal((await server.request("GET", "/api/schemas/acme-parts-trip")).status, 404);
  const gone = await server.request("DELETE", "/api/extensions/acme/parts?purge=true");
  assert.equal(gone.status, 204, gone.text);
  const made = await server.request("POST", "/api/collections/places", { body: { id: "rome", rank: 1 } });
  assert.equal(made.status, 201, made.text);
  writeParts();
  const own = { id: "acme-parts-trip", properties: { own: { type: "string" } }, index: [] };
  await server.makeSchema(own);
  await enableExtension(server, "acme/parts");
  const { error, state } = (await server.request("GET", "/api/extensions/acme/parts")).body.data;
  assert.deepEqual([state, error], ["enabled", "The schema acme-parts-trip is taken by the site."]);
  const trip = (await server.request("GET", "/api/schemas/acme-parts-trip")).body;
  assert.deepEqual(Object.keys(trip.properties), ["id", "own"]);
});
