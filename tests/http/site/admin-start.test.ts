// What the admin starts with: the session, forms, preferences, search over all collections, recent changes.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { becomes } from "#base/patience.fixture.ts";
import type { AdminCollection, AdminStart, FormDescription, FoundObject } from "#contract/admin.ts";
import { type Server, startServer } from "../../harness.ts";
import { makeUser, type Person, signIn } from "../../support/sign-in.ts";
import { testOnce } from "../../support/test-once.ts";

let server: Server;
let admin: Person;
let viewer: Person;
let writer: Person;

before(async () => {
  server = await startServer();
  const line = { id: { type: "slug" }, text: { type: "string" } };
  await server.makeSchema({ id: "line", properties: line, required: ["id"], index: ["id"] });
  await server.makeSchema({
    id: "page",
    properties: {
      id: { type: "slug" },
      name: { type: "string", label: "Name", settings: { rows: 2, tone: "calm" } },
      body: { type: "string", help: "The text." },
      lines: { type: "deck", deckref: "line" },
      draft: { type: "boolean" },
    },
    required: ["id", "name"],
    index: ["id", "name", "draft"],
  });
  await server.makeCollection({ id: "pages", schema: "page", name: "Pages", category: "Site", url: "/pages" });
  await server.makeCollection({ id: "articles", schema: "page", name: "articles", labelPlural: "Articles" });
  await server.request("PUT", "/api/access-groups/writers", {
    body: {
      permissions: {
        collections: { operations: ["read", "update"], allowed: ["pages"] },
        utils: { allowed: ["cache"] },
        mailer: true,
      },
    },
  });
  await makeUser(server, "ada", ["admin"], { name: "Ada" });
  await makeUser(server, "vic", ["viewer"]);
  await makeUser(server, "wim", ["writers"]);
  [admin, viewer, writer] = await Promise.all([signIn(server, "ada"), signIn(server, "vic"), signIn(server, "wim")]);
});
after(() => server.stop());

const startOf = async (person: Person): Promise<AdminStart> => {
  const { status, body, text } = await person.request("GET", "/api/admin");
  assert.equal(status, 200, text);
  return body.data;
};
const idsOf = ({ collections }: AdminStart) => collections.map(({ id }) => id);
const collectionOf = (start: AdminStart, id: string) =>
  start.collections.find((collection) => collection.id === id) as AdminCollection;

test("ADM-30 ADM-283 the start names the user, the site and the token of the session; callers without a session get none", async () => {
  const { user, csrfToken, site, impersonator } = await startOf(admin);
  assert.deepEqual(user, { id: "ada", email: "ada@example.test", name: "Ada", groups: ["admin"] });
  assert.equal(csrfToken, admin.token);
  assert.equal(impersonator, undefined);
  const { version: _, ...facts } = site;
  assert.deepEqual(facts, {
    ...{ name: "Cairn", url: server.url, edition: "pro", environment: "production", timezone: "UTC" },
    ...{ locales: [], mail: false, oauth: true, mcp: true, passkeys: true, maxUploadSize: 2_147_483_648 },
  });
  assert.equal((await server.request("GET", "/api/admin", { key: null })).status, 401);
  assert.equal((await server.request("GET", "/api/admin")).status, 403);
  await server.setSetting("locales", ["en", "de", "en"]);
  assert.deepEqual((await startOf(admin)).site.locales, ["en", "de"]);
  await assert.rejects(server.setSetting("locales", ["english"]), /a list of languages such as en or pt_BR/);
  await server.setSetting("locales", null);
  const acting = await admin.request("POST", "/api/auth/impersonate/vic");
  const headers = { cookie: acting.headers.get("set-cookie")?.split(";")[0] as string };
  const { data } = (await server.request("GET", "/api/admin", { key: null, headers })).body;
  assert.deepEqual([data.user.id, data.impersonator.id, data.can.admin], ["vic", "ada", false]);
});

test("ADM-31 collections are those that the user may read, with present counts and the user's operations", async () => {
  const all = await startOf(admin);
  assert.deepEqual(idsOf(all), ["articles", "auth", "pages"]);
  assert.deepEqual(idsOf(await startOf(viewer)), ["articles", "pages"]);
  assert.deepEqual(idsOf(await startOf(writer)), ["pages"]);
  assert.deepEqual(collectionOf(all, "pages"), {
    ...{ id: "pages", name: "Pages", category: "Site", labelSingular: "", labelPlural: "", schema: "page", count: 0 },
    ...{ singleton: false, sortBy: "id", reverseSort: false, hasUrl: true, history: "full", drafts: false },
    ...{ locales: [], views: [], operations: ["create", "read", "update", "delete"], canConfigure: true },
  });
  const { operations, canConfigure } = collectionOf(await startOf(writer), "pages");
  assert.deepEqual([operations, canConfigure], [["read", "update"], false]);
  for (const id of ["one", "two"])
    await server.request("POST", "/api/collections/pages", { body: { id, name: `The ${id}` } });
  assert.equal(collectionOf(await startOf(viewer), "pages").count, 2);
  await server.request("DELETE", "/api/collections/pages/two");
  assert.equal(collectionOf(await startOf(viewer), "pages").count, 1);
});

test("ADM-32 rights are those of all groups together", async () => {
  assert.deepEqual((await startOf(viewer)).can, {
    ...{ admin: false, builder: false, mailer: false, playground: false, dataviews: false, docs: true },
    ...{ collectionsMeta: [], schemas: [], utils: [] },
  });
  await server.request("PATCH", "/api/collections/auth/wim", { body: { groups: ["writers", "editor"] } });
  assert.deepEqual((await startOf(writer)).can, {
    ...{ admin: false, builder: false, mailer: true, playground: false, dataviews: false, docs: true },
    ...{
      collectionsMeta: ["read"],
      schemas: ["read"],
      utils: ["cache", "image-batcher", "jumpstart", "project-setup"],
    },
  });
  await server.request("PATCH", "/api/collections/auth/wim", { body: { groups: ["writers"] } });
  const { can } = await startOf(admin);
  assert.ok(can.admin && can.builder && can.playground && can.dataviews);
  assert.deepEqual([can.collectionsMeta, can.schemas], Array(2).fill(["create", "read", "update", "delete"]));
  assert.ok(can.utils.includes("cache"));
});

test("ADM-33 what needs attention is counted for callers that may see it", async () => {
  const { attention } = await startOf(admin);
  const none = { failedJobs: 0, disabledAutomations: 0, failedDeliveries: 0, stoppedExtensions: 0, siteErrors: 0 };
  assert.deepEqual(attention, none);
  const handler = 'export default () => { throw new Error("no") }';
  const triggers = [{ id: "t", type: "webhook", auth: "none", sync: true }];
  const automations = "/api/collections/automations";
  await server.request("POST", automations, { body: { id: "breaks", name: "Breaks", handler, triggers } });
  await server.request("POST", automations, { body: { id: "off", name: "Off", handler, enabled: false } });
  for (let run = 0; run < 5; run += 1) await server.request("POST", "/automations/breaks", { key: null });
  const hook = { name: "Nowhere", url: "https://nowhere.invalid/", events: ["object.created"], active: false };
  const { id } = (await server.request("POST", "/api/webhooks", { body: hook })).body.data;
  await server.request("POST", `/api/webhooks/${id}/test`);
  const page = { id: "broken", title: "Broken", route: "/broken", template: "broken" };
  const template = "{% render 'missing' %}";
  await server.request("POST", "/api/templates", { body: { id: "pages/broken", template } });
  await server.request("POST", "/api/collections/builder-pages", { body: page });
  for (let visit = 0; visit < 3; visit += 1) await server.request("GET", "/broken", { key: null });
  const counted = { failedJobs: 5, disabledAutomations: 1, failedDeliveries: 1, stoppedExtensions: 0, siteErrors: 1 };
  // Each of them is counted a moment later.
  await becomes(async () => (await startOf(admin)).attention, counted);
  assert.deepEqual((await startOf(viewer)).attention, {});
});

test("ADM-34 an unchanged start or form is 304", async () => {
  for (const path of ["/api/admin", "/api/forms/pages"]) {
    const first = await viewer.request("GET", path);
    const headers = { "if-none-match": first.headers.get("etag") as string };
    assert.equal((await viewer.request("GET", path, { headers })).status, 304, path);
    await server.request("PATCH", "/api/collections/pages/settings", { body: { url: `${path}/x` } });
    if (path !== "/api/admin") assert.equal((await viewer.request("GET", path, { headers })).status, 200, path);
  }
  await server.request("PATCH", "/api/collections/pages/settings", { body: { url: "/pages" } });
});

const formOf = async (person: Person, path: string): Promise<FormDescription> => {
  const { status, body, text } = await person.request("GET", `/api/forms/${path}`);
  assert.equal(status, 200, text);
  return body.data;
};

testOnce("ADM-35 a form has the flat schema, the schemas of its decks, and what its collection says", async () => {
  await server.makeSchema({ id: "news", inheritFrom: ["page"], properties: { lead: { type: "string" } } });
  await server.makeCollection({ id: "news", schema: "news", url: "/news/{id}", formSettings: { helpStyle: "box" } });
  const { schema, items, ...rest } = await formOf(viewer, "news");
  assert.deepEqual(rest, {
    ...{ collection: "news", form: { helpStyle: "box" }, titleProperty: "name", url: "/news/{id}" },
    ...{ address: "", passwords: [] },
  });
  await server.request("POST", "/api/collections/news", { body: { id: "first", name: "First" } });
  assert.equal((await formOf(viewer, "news?object=first")).address, "/news/first");
  assert.deepEqual(Object.keys(schema.properties), ["id", "lead", "name", "body", "lines", "draft"]);
  assert.deepEqual(schema.required, ["id", "name"]);
  assert.equal(schema.title, "News");
  const { lead, lines } = schema.properties;
  assert.deepEqual([lead?.type, lead?.label, lead?.settings], ["string", "Lead", {}]);
  assert.deepEqual([lines?.type, lines?.itemSchema], ["deck", "line"]);
  assert.deepEqual(Object.keys(items), ["line"]);
  assert.deepEqual(Object.keys(items.line?.properties ?? {}), ["id", "text"]);
  const patterns = { "/pages": "/pages?id={id}", "/p/{name}/": "/p/{name}/{id}", "/{{ id | raw }}": "/{{ id | raw }}" };
  for (const [url, pattern] of Object.entries(patterns)) {
    await server.request("PATCH", "/api/collections/news/settings", { body: { url } });
    assert.equal((await formOf(viewer, "news")).url, pattern);
  }
  assert.equal((await server.request("GET", "/api/forms/news", { key: null })).status, 401);
  assert.equal((await writer.request("GET", "/api/forms/news")).status, 403);
  assert.equal((await admin.request("GET", "/api/forms/none")).status, 404);
});

testOnce(
  "ADM-270 a form says which passwords are set to callers that may change the object, and nothing else of them",
  async () => {
    const pin = { type: "password", field: "password" };
    await server.makeSchema({ id: "lock", properties: { id: { type: "slug" }, pin }, required: ["id"], index: ["id"] });
    const properties = { id: { type: "slug" }, pin, other: pin, locks: { type: "deck", deckref: "lock" } };
    await server.makeSchema({ id: "door", properties, required: ["id"], index: ["id"] });
    await server.makeCollection({ id: "doors", schema: "door" });
    const locks = [{ id: "a", pin: "secret-1" }, { id: "b" }];
    await server.request("POST", "/api/collections/doors", { body: { id: "front", pin: "secret-2", locks } });
    assert.deepEqual((await formOf(admin, "doors?object=front")).passwords, ["pin", "locks.a.pin"]);
    assert.deepEqual((await formOf(viewer, "doors?object=front")).passwords, []);
    assert.deepEqual((await formOf(admin, "doors")).passwords, []);
  },
);

testOnce("ADM-36 the collection and the object override what a form shows, not what an object is", async () => {
  const properties = { name: { label: "Headline", type: "number", settings: { rows: 5 } }, body: { help: "Short." } };
  const customProperties = { one: { name: { settings: { tone: "loud" }, placeholder: "One", unique: true } } };
  await server.request("PATCH", "/api/collections/pages/settings", { body: { properties, customProperties } });
  const plain = (await formOf(viewer, "pages")).schema.properties;
  assert.deepEqual(plain.name, { label: "Headline", type: "string", settings: { rows: 5, tone: "calm" } });
  assert.equal(plain.body?.help, "Short.");
  const own = (await formOf(viewer, "pages?object=one")).schema.properties;
  assert.deepEqual(own.name, {
    ...{ label: "Headline", type: "string", placeholder: "One", settings: { rows: 5, tone: "loud" } },
  });
  await server.request("PATCH", "/api/collections/pages/settings", {
    body: { properties: null, customProperties: null },
  });
});

testOnce("ADM-37 a form of an object is for callers that may read that object (T16)", async () => {
  assert.equal((await viewer.request("GET", "/api/forms/pages?object=none")).status, 404);
  await server.makeCollection({ id: "open", schema: "page", publicOperations: ["read"] });
  await server.request("POST", "/api/collections/open", { body: { id: "hidden", name: "H", draft: true } });
  assert.equal((await server.request("GET", "/api/forms/open", { key: null })).status, 200);
  assert.equal((await server.request("GET", "/api/forms/open?object=hidden", { key: null })).status, 404);
  assert.equal((await viewer.request("GET", "/api/forms/open?object=hidden")).status, 200);
  assert.equal((await formOf(viewer, "auth?object=vic")).titleProperty, "name");
  for (const path of ["auth", "auth?object=ada"])
    assert.equal((await viewer.request("GET", `/api/forms/${path}`)).status, 403, path);
});

test("ADM-38 views of a collection are checked, saved for everybody, and come with the start", async () => {
  const save = (views: unknown) => server.request("PATCH", "/api/collections/pages/settings", { body: { views } });
  const views = [
    { name: "Mine", query: "filter[name]=Ada&sort=-modified" },
    { name: "All", query: "" },
  ];
  assert.equal((await save(views)).status, 200);
  assert.deepEqual(collectionOf(await startOf(writer), "pages").views, views);
  const many = Array.from({ length: 51 }, (_, n) => ({ name: `v${n}`, query: "" }));
  const [one] = views;
  for (const wrong of [{}, [1], [{ name: "a" }], [{ name: " ", query: "" }], [one, one], many]) {
    const { status, body } = await save(wrong);
    assert.equal(status === 200 && Object.keys(wrong).length > 0, false, JSON.stringify(wrong));
    if (status !== 200) assert.ok(body.error.details.views, JSON.stringify(wrong));
    if (status === 200) await save(views);
  }
  assert.equal((await save([{ name: "a", query: "x".repeat(4_001) }])).status, 400);
  assert.equal((await save(many.slice(1).map((view) => ({ ...view, query: "x".repeat(4_000) })))).status, 200);
  assert.equal((await writer.request("PATCH", "/api/collections/pages/settings", { body: { views } })).status, 403);
  assert.equal((await save(null)).status, 200);
  assert.deepEqual(collectionOf(await startOf(viewer), "pages").views, []);
});

testOnce("ADM-39 the site has a name", async () => {
  await server.setSetting("site.name", "Hut news");
  assert.equal((await startOf(viewer)).site.name, "Hut news");
  await server.setSetting("site.name", null);
  for (const name of ["", "a\nb", "x".repeat(101)]) {
    const { status } = await server.request("PUT", "/api/settings/site", { body: { name } });
    assert.equal(status, 400, JSON.stringify(name));
  }
  assert.equal((await startOf(viewer)).site.name, "Cairn");
});

test("ADM-40, ADM-41 preferences are kept as sent, up to 64 kB", async () => {
  const path = "/api/auth/preferences";
  assert.deepEqual((await viewer.request("GET", path)).body, { data: {} });
  const body = { theme: "dark", tables: { pages: { columns: ["name"] } }, note: "\u0000 \ud83e\udea8" };
  const saved = await viewer.request("PUT", path, { body });
  assert.deepEqual([saved.status, saved.body], [200, { data: body }]);
  const { body: kept, headers } = await viewer.request("GET", path);
  assert.deepEqual(kept, { data: body });
  const tagged = { headers: { "if-none-match": headers.get("etag") as string } };
  assert.equal((await viewer.request("GET", path, tagged)).status, 304);
  for (const wrong of [[1], "text", 7, null])
    assert.equal((await viewer.request("PUT", path, { body: wrong })).status, 400);
  const large = await viewer.request("PUT", path, { body: { text: "x".repeat(65_536) } });
  assert.deepEqual([large.status, large.body.error.message], [413, "The body is larger than 65536 bytes, the limit."]);
  assert.deepEqual((await viewer.request("GET", path)).body, { data: body });
  const values = Array.from({ length: 12 }, (_, n) => ({ n }));
  const answers = await Promise.all(values.map((value) => viewer.request("PUT", path, { body: value })));
  assert.ok(answers.every(({ status }) => status === 200));
  const { data } = (await viewer.request("GET", path)).body;
  assert.ok(values.some(({ n }) => n === data.n) && Object.keys(data).length === 1, JSON.stringify(data));
});

test("ADM-42 preferences belong to one user and go with that user", async () => {
  const path = "/api/auth/preferences";
  await makeUser(server, "pia", ["viewer"]);
  const pia = await signIn(server, "pia");
  await pia.request("PUT", path, { body: { theme: "CANARY" } });
  assert.ok(!(await admin.request("GET", path)).text.includes("CANARY"));
  assert.equal((await server.request("GET", path)).status, 403);
  assert.equal((await server.request("PUT", path, { key: null, body: {} })).status, 401);
  for (const place of ["/api/collections/auth/pia", "/api/export/jumpstart", "/api/export/collections/auth/json"])
    assert.ok(!(await server.request("GET", place)).text.includes("CANARY"), place);
  await server.request("DELETE", "/api/collections/auth/pia");
  assert.equal((await pia.request("GET", path)).status, 401);
  await makeUser(server, "pia", ["viewer"]);
  assert.deepEqual((await (await signIn(server, "pia")).request("GET", path)).body, { data: {} });
});

const foundBy = async (person: Person, path: string): Promise<FoundObject[]> => {
  const { status, body, text } = await person.request("GET", path);
  assert.equal(status, 200, text);
  return body.data;
};
/** Two changes are never of the same millisecond. */
const later = () => sleep(3);
const placesOf = (found: FoundObject[]) => found.map(({ collection, id }) => `${collection}/${id}`);

test("ADM-43, ADM-44 one search finds in all collections that the user may read", async () => {
  for (const [collection, id, name] of [
    ["articles", "basalt", "Basalt and granite"],
    ["pages", "granite", "Granite"],
    ["pages", "slate", "Slate"],
  ] as const)
    await server.request("POST", `/api/collections/${collection}`, { body: { id, name } });
  const all = await foundBy(viewer, "/api/search?q=granite");
  assert.deepEqual(placesOf(all), ["articles/basalt", "pages/granite"]);
  assert.deepEqual(Object.keys(all[0] ?? {}), ["collection", "id", "title", "modified"]);
  assert.equal(all[0]?.title, "Basalt and granite");
  assert.deepEqual(placesOf(await foundBy(writer, "/api/search?q=granite")), ["pages/granite"]);
  assert.deepEqual(placesOf(await foundBy(viewer, "/api/search?q=gran&limit=1")), ["articles/basalt"]);
  assert.deepEqual(placesOf(await foundBy(viewer, "/api/search?q=granite&collections=pages")), ["pages/granite"]);
  assert.deepEqual(placesOf(await foundBy(viewer, "/api/search?q=slate+nowhere")), ["pages/slate"]);
  assert.deepEqual(await foundBy(viewer, "/api/search?q=%21%21"), []);
  assert.deepEqual(placesOf(await foundBy(admin, "/api/search?q=vic&collections=auth")), ["auth/vic"]);
  assert.equal((await server.request("GET", "/api/search?q=granite")).body.data.length, 2);
  assert.equal((await server.request("GET", "/api/search?q=granite", { key: null })).status, 401);
  for (const [query, parameter] of [
    ["", "q"],
    ["q=", "q"],
    ["q=%20", "q"],
    [`q=${"x".repeat(1_001)}`, "q"],
    ["q=x&limit=0", "limit"],
    ["q=x&collections=auth", "collections"],
    ["q=x&collections=none", "collections"],
  ] as const) {
    const { status, body } = await viewer.request("GET", `/api/search?${query}`);
    assert.equal(status, 400, query);
    assert.ok(body.error.details[parameter], query);
  }
});

test("ADM-45 what was changed last comes first, of all collections that the user may read", async () => {
  const change = async (path: string) => {
    await later();
    await server.request("PATCH", `/api/collections/${path}`, { body: { body: path } });
  };
  for (const path of ["pages/granite", "articles/basalt", "pages/slate"]) await change(path);
  assert.deepEqual(placesOf(await foundBy(viewer, "/api/recent?limit=3")), [
    ...["pages/slate", "articles/basalt", "pages/granite"],
  ]);
  const mine = await foundBy(writer, "/api/recent?limit=2");
  assert.deepEqual(placesOf(mine), ["pages/slate", "pages/granite"]);
  const all = await foundBy(admin, "/api/recent");
  assert.ok(all.some(({ collection }) => collection === "auth"));
  const times = all.map(({ modified }) => modified);
  assert.deepEqual(times, times.toSorted().toReversed());
  assert.equal((await viewer.request("GET", "/api/recent?limit=x")).status, 400);
  assert.equal((await server.request("GET", "/api/recent", { key: null })).status, 401);
});

test("ADM-46 drafts are found by callers with a right of their own (T16)", async () => {
  await makeUser(server, "sue", ["writers"]);
  await server.makeCollection({ id: "board", schema: "page", publicOperations: ["read"] });
  for (const [id, draft] of [
    ["shown", false],
    ["secret", true],
  ]) {
    await later();
    await server.request("POST", "/api/collections/board", { body: { id, name: `Gneiss ${id}`, draft } });
  }
  const sue = await signIn(server, "sue");
  for (const path of ["/api/search?q=gneiss", "/api/recent?limit=1"])
    assert.deepEqual(placesOf(await foundBy(sue, path)), ["board/shown"], path);
  assert.deepEqual(placesOf(await foundBy(viewer, "/api/search?q=gneiss")).sort(), ["board/secret", "board/shown"]);
  assert.deepEqual(placesOf(await foundBy(viewer, "/api/recent?limit=1")), ["board/secret"]);
});

testOnce("ADM-48 no id begins with a hyphen", async () => {
  const permissions = {};
  for (const [method, path, body] of [
    ["POST", "/api/collections", { id: "-new", schema: "page" }],
    ["POST", "/api/schemas", { id: "-new", properties: {} }],
    ["PUT", "/api/schemas/-new", { properties: {} }],
    ["POST", "/api/access-groups", { id: "-new", permissions }],
    ["PUT", "/api/access-groups/-new", { permissions }],
  ] as const) {
    const { status, text } = await server.request(method, path, { body });
    assert.ok(status === 400 || (status === 404 && path === "/api/schemas/-new"), `${method} ${path} ${text}`);
  }
  const made = await server.request("POST", "/api/collections/pages", { body: { id: "-new-page", name: "N" } });
  assert.deepEqual([made.status, made.body.data.id], [201, "new-page"]);
  const put = await server.request("PUT", "/api/collections/pages/-settings", { body: { id: "-settings", name: "N" } });
  assert.equal(put.status, 404);
});
