// Power changes by a session that has confirmed nothing: whatever a script in an administrator's browser sends, it gains nothing.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";
import {
  askFor,
  authorizePath,
  type Client,
  connect,
  formOf,
  hiddenFields,
  makeClient,
  makePkce,
  withToken,
} from "../../support/oauth-app.ts";
import { confirm, makeUser, type Person, password, signInAlone } from "../../support/sign-in.ts";
import { testOnce } from "../../support/test-once.ts";

let server: Server;
/** Has confirmed nothing. */
let script: Person;
let client: Client;
const page = "{% script %}alert(1){% endscript %}";
const handler = "export default () => 1";
const definition = "export default async () => []";

before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 }, history: { default: "full" } } });
  await makeUser(server, "root", ["admin"]);
  await makeUser(server, "bob", ["admin"], { name: "Bob" });
  await send("PATCH", "/api/collections/auth/bob", { groups: ["viewer"] });
  await makeUser(server, "late", ["admin"]);
  await send("DELETE", "/api/collections/auth/late");
  await send("POST", "/api/collections/automations", {
    id: "nightly",
    name: "N",
    handler,
    enabled: false,
    triggers: [],
  });
  await send("POST", "/api/collections/automations", { id: "gone", name: "N", handler, triggers: [] });
  await send("DELETE", "/api/collections/automations/gone");
  await send("POST", "/api/collections/dataviews", { id: "view", name: "V", definition });
  await send("POST", "/api/templates", { id: "pages/home", template: page });
  await send("PUT", "/api/templates/pages/home", { template: "<p>Hello</p>" });
  await send("POST", "/api/templates", { id: "pages/code", template: "plain" });
  await send("POST", "/api/collections/builder-pages", {
    id: "code",
    title: "C",
    route: "/code.txt",
    template: "code",
  });
  await send("POST", "/api/webhooks", { url: "https://example.test/", active: false, name: "hook" });
  await send("PUT", "/api/access-groups/helpers", { permissions: { docs: true } });
  client = await makeClient(server);
  script = await signInAlone(server, "root");
});
after(() => server.stop());

async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await server.request(method, path, body === undefined ? {} : { body });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** By its status and the one property that it names. */
const refused = (answer: Answer) =>
  assert.deepEqual([answer.status, Object.keys(answer.body.error?.details ?? {})], [403, ["password"]], answer.text);

/** Some of those whose description must say so. */
const documentedToAsk = [
  ["/api/apikeys", "post"],
  ["/api/access-groups/{id}", "put"],
  ["/api/settings/{section}", "put"],
  ["/api/webhooks", "post"],
  ["/api/templates/{path}", "put"],
  ["/api/collections/{collection}/{id}", "patch"],
] as const;

type Powers = Record<string, unknown[]>;

/** All that may have more power than the session's own content rights, as a key for everything reads it. */
async function powers(): Promise<Powers> {
  const read = async (path: string) => (await send("GET", path)).body.data as Record<string, unknown>[];
  const pick = async (path: string, ...names: string[]) =>
    (await read(path)).map((one) => ["id", ...names].map((name) => one[name] ?? null));
  const objects = (collection: string, ...names: string[]) =>
    pick(`/api/collections/${collection}?limit=500`, ...names);
  const texts = await Promise.all(
    (await read("/api/templates")).map(async ({ id }) => (await send("GET", `/api/templates/${id}`)).body.data),
  );
  const isOfCode = ([, route]: unknown[]) => String(route).endsWith(".js");
  return {
    users: await objects("auth", "groups", "email", "active", "expiration"),
    keys: await pick("/api/apikeys", "methods", "endpoints"),
    groups: await pick("/api/access-groups", "permissions"),
    automations: await objects("automations", "handler", "triggers", "enabled"),
    views: await objects("dataviews", "definition"),
    pages: (await objects("builder-pages", "route", "template")).filter(isOfCode),
    webhooks: await pick("/api/webhooks", "url", "events", "active", "updated"),
    clients: (await read("/api/oauth-clients")).filter(({ origin }) => origin === "static"),
    grants: await pick("/api/oauth-grants", "scopes"),
    extensions: await pick("/api/extensions", "enabled", "capabilities"),
    templates: texts.filter(({ template }) => template.includes("script")).map(({ id, template }) => [id, template]),
    settings: (await read("/api/settings")).filter(isChosen).map(({ key, value, isSet }) => [key, value, isSet]),
  };
}

test("PWR-2 PWR-15 a script in an administrator's browser changes no groups and makes no key; the password opens both", async () => {
  const person = await signInAlone(server, "root");
  const { csrfToken } = (await person.request("GET", "/api/auth/session")).body.data;
  const headers = { "x-csrf-token": csrfToken };
  const tries = () => [
    person.request("PATCH", "/api/collections/auth/bob", { headers, body: { groups: ["admin"] } }),
    person.request("POST", "/api/apikeys", { headers, body: { name: "x", methods: ["GET"], endpoints: ["*"] } }),
  ];
  for (const answer of await Promise.all(tries())) refused(answer);
  assert.deepEqual((await send("GET", "/api/collections/auth/bob")).body.data.groups, ["viewer"]);
  // Callers without the right learn nothing of the question.
  const vic = await signInAlone(server, "bob");
  const answer = await vic.request("POST", "/api/apikeys", { body: {} });
  assert.deepEqual([answer.status, answer.body.error.details], [403, undefined]);
  await confirm(person);
  assert.deepEqual(
    (await Promise.all(tries())).map(({ status }) => status),
    [200, 201],
  );
  await send("PATCH", "/api/collections/auth/bob", { groups: ["viewer"] });
  refused(await (await signInAlone(server, "root")).request("POST", "/api/apikeys", { body: {} }));
  const { paths } = (await send("GET", "/api/openapi.json")).body;
  for (const [path, method] of documentedToAsk)
    assert.match(paths[path][method].description, /confirm-required/, `${method} ${path}`);
});

test("PWR-3 PWR-13 consent to cms:admin takes the password on its page; the token then is not asked", async () => {
  const person = await signInAlone(server, "root");
  const { challenge } = makePkce();
  const open = async (scope: string) =>
    (await person.request("GET", authorizePath(askFor(client, challenge, { scope })))).text;
  const grants = async () => (await send("GET", "/api/oauth-grants")).body.data.length;
  assert.doesNotMatch(await open("cms:read"), /type="password"/);
  const shown = await open("cms:admin");
  assert.match(shown, /type="password"/);
  const decide = (more: Record<string, string>) =>
    person.request("POST", "/oauth/authorize", formOf({ ...hiddenFields(shown), decision: "allow", ...more }));
  for (const more of [{}, { password: "wrong-horse-1" }]) {
    const { status, text } = await decide(more);
    assert.deepEqual([status, /type="password"[^>]*aria-invalid="true"/.test(text)], [403, true], text);
  }
  assert.equal(await grants(), 0);
  assert.equal((await decide({ decision: "deny" })).status, 303);
  assert.equal((await decide({ password })).status, 303);
  assert.equal(await grants(), 1);
  assert.doesNotMatch(await open("cms:admin"), /type="password"/);
  const other = await signInAlone(server, "root");
  const { accessToken } = await connect(server, other, { client, scope: "cms:admin" });
  const body = { groups: ["viewer", "helpers"] };
  const changed = await withToken(server, accessToken, "PATCH", "/api/collections/auth/bob", { body });
  assert.equal(changed.status, 200, changed.text);
  await send("PATCH", "/api/collections/auth/bob", { groups: ["viewer"] });
});

test("PWR-4 PWR-5 PWR-7 PWR-9 what gives no power is not asked for", async () => {
  const person = await signInAlone(server, "root");
  const timezone = (await send("GET", "/api/settings/general")).body.data.timezone;
  for (const [method, path, body] of [
    ["PATCH", "/api/collections/auth/bob", { name: "Robert" }],
    [
      "PUT",
      "/api/settings/general",
      { timezone: "Europe/Vienna", url: (await send("GET", "/api/settings/general")).body.data.url },
    ],
    ["PUT", "/api/settings/general", { timezone }],
    ["PUT", "/api/settings/site", { name: "Stones" }],
    ["PATCH", "/api/collections/automations/nightly", { name: "Nightly", enabled: false }],
    ["PATCH", "/api/collections/dataviews/view", { name: "Views" }],
    ["PUT", "/api/templates/pages/plain", { template: '<a{% if x %} class="y"{% endif %} href="/">{{ x | raw }}</a>' }],
    ["PUT", "/api/templates/pages/plain", { template: "{% style %}a { color: red }{% endstyle %}" }],
    ["DELETE", "/api/templates/pages/plain", undefined],
  ] as const) {
    const answer = await person.request(method, path, { body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  }
});

test("PWR-6 PWR-8 acting as a user, and running what was saved since its last run, take the password", async () => {
  const person = await signInAlone(server, "root");
  refused(await person.request("POST", "/api/auth/impersonate/bob"));
  const run = () => person.request("POST", "/api/automations/nightly/run", { body: {} });
  refused(await run());
  await send("POST", "/api/automations/nightly/run", {});
  assert.equal((await run()).status, 200);
  await send("PATCH", "/api/collections/automations/nightly", { handler: `${handler} + 2` });
  refused(await run());
});

test("PWR-10 PWR-11 scripts in previews, and pages of code with their templates, take the password", async () => {
  const person = await signInAlone(server, "root");
  const { id } = (await person.request("POST", "/api/previews", { body: { path: "/about" } })).body.data;
  const lay = (text: string) =>
    person.request("PUT", `/api/previews/${id}/values`, { body: { templates: { "pages/home": text } } });
  refused(await lay(page));
  assert.ok((await lay("<p>Hello</p>")).status < 300);
  const route = (to: string) => person.request("PATCH", "/api/collections/builder-pages/code", { body: { route: to } });
  refused(await route("/app.js"));
  await send("PATCH", "/api/collections/builder-pages/code", { route: "/app.js" });
  const save = (name: string) => person.request("PUT", `/api/templates/${name}`, { body: { template: "alert(1)" } });
  refused(await save("pages/code"));
  refused(await save("partials/code"));
  assert.equal((await save("pages/other")).status, 201);
  await send("PATCH", "/api/collections/builder-pages/code", { route: "/code.txt" });
});

test("PWR-12 what a job would carry out later, without the session, is asked for when it is ordered", async () => {
  const person = await signInAlone(server, "root");
  const ids = ["bob", ...Array.from({ length: 1_000 }, (_, at) => `none-${at}`)];
  const bulk = (body: object) =>
    person.request("POST", "/api/bulk/auth", { body: { operation: "patch", ids, expect: ids.length, body } });
  refused(await bulk({ groups: ["admin"] }));
  assert.equal((await bulk({ name: "Bob" })).status, 202);
  const by = { user: "nobody" };
  assert.equal((await person.request("POST", "/api/undo", { body: { by } })).status, 200);
});

interface Call {
  method: string;
  path: string;
  body?: unknown;
}

/** For addresses that say nothing of what they take: all of it at once. */
const everything = {
  ...{ name: "Mallory", email: "mallory@example.test", password: "mallory-horse-1" },
  ...{ groups: ["admin"], active: true, enabled: true, methods: ["GET", "POST"], endpoints: ["*"], events: ["*"] },
  ...{ url: "https://evil.example.test/", redirectUris: ["https://evil.example.test/"], scopes: ["cms:admin"] },
  ...{ confidential: false, template: page, permissions: { builder: true }, switches: {}, settings: {} },
};
/** An object of each collection of power, and what would make it powerful. */
const powerful: Record<string, { existing: string; values: Record<string, unknown> }> = {
  auth: {
    existing: "bob",
    values: { email: "mallory@example.test", password: "mallory-horse-1", groups: ["admin"], active: true },
  },
  automations: {
    existing: "nightly",
    values: { name: "M", handler: `${handler} + 1`, enabled: true, triggers: [{ id: "a", type: "webhook" }] },
  },
  dataviews: { existing: "view", values: { name: "M", definition: `${definition}; // 2` } },
  "builder-pages": { existing: "code", values: { title: "M", route: "/evil.js", template: "code" } },
};

function definitionOf(name: string): object {
  const objects = ["automations", "dataviews", "builder-pages"].map((collection) => {
    const route = collection === "builder-pages" && { route: `/${name}.js` };
    return { collection, id: name, data: { ...powerful[collection]?.values, ...route } };
  });
  const templates = [{ id: `pages/${name}`, template: page, updated: "2030-01-01T00:00:00.000Z" }];
  return { version: "1.0.0", name, description: "", templates, objects };
}

/** What takes a state of before: the trash, the history, the undo, the versions of templates, and definitions from elsewhere. */
async function returns(): Promise<Call[]> {
  const list = async (path: string) => (await send("GET", path)).body.data as Record<string, string>[];
  const undo = { by: { key: String((await list("/api/apikeys"))[0]?.id) } };
  const { plan } = (await send("POST", "/api/undo", undo)).body.data;
  const [version] = await list("/api/template-history/pages/home");
  const changes = await list("/api/history/auth/bob");
  const post = (path: string, body: object = {}): Call => ({ method: "POST", path, body });
  return [
    ...(await list("/api/trash")).map(({ change }) => post(`/api/trash/${change}/restore`)),
    ...changes.map(({ change }) => post(`/api/history/auth/bob/${change}/restore`)),
    post("/api/undo", { ...undo, apply: plan }),
    post("/api/template-history/pages/home", { version: version?.version }),
    post("/api/import/jumpstart", definitionOf("jump")),
    post("/api/sync/import", definitionOf("synced")),
  ];
}

async function documented(): Promise<Call[]> {
  const { paths } = (await send("GET", "/api/openapi.json")).body as { paths: Record<string, object> };
  const [hook] = (await send("GET", "/api/webhooks")).body.data;
  const named: [string, string][] = [
    ["/webhooks/{id}", `/webhooks/${hook.id}`],
    ["/access-groups/{id}", "/access-groups/helpers"],
    ["/automations/{id}", "/automations/nightly"],
    ["/oauth-clients/{id}", `/oauth-clients/${client.id}`],
    ["/templates/{path}", "/templates/pages/mallory"],
    ["{vendor}/{name}", "cairn/maintenance"],
    ["{userId}", "bob"],
  ];
  return Object.entries(paths).flatMap(([path, item]) => {
    // The paths of single collections are in those of all.
    if (/^\/api\/collections\/[a-z]/.test(path) || path === "/api/auth/logout") return [];
    const plain = named.reduce((known, [name, value]) => known.replace(name, value), path);
    const methods = Object.keys(item).filter((method) => ["post", "put", "patch", "delete"].includes(method));
    return methods.flatMap((method) => callsOf(method.toUpperCase(), plain));
  });
}

function callsOf(method: string, path: string): Call[] {
  const filled = (text: string) => text.replace(/\{\w+\}/g, "mallory");
  // Unknown parts of a group are refused.
  if (path.startsWith("/api/access-groups"))
    return [
      { method, path, body: { ...(method === "POST" && { id: "mallory" }), permissions: everything.permissions } },
    ];
  const id = path.startsWith("/api/templates") ? "pages/mallory" : "mallory";
  if (!path.includes("{collection}"))
    return [{ method, path: filled(path), body: method === "POST" ? { ...everything, id } : everything }];
  return Object.entries(powerful).flatMap(([collection, { existing, values }]): Call[] => {
    const at = path.replace("{collection}", collection).replace("{id}", existing);
    const row = { ...values, id: `row-${collection}`, email: "row@example.test", route: "/row.js" };
    if (path.endsWith("/json")) return [{ method, path: at, body: [row] }];
    if (path.startsWith("/api/bulk/")) {
      const { email: _e, password: _p, route: _r, ...body } = values;
      return [{ method, path: at, body: { operation: "patch", ids: [existing], expect: 1, body } }];
    }
    if (!at.includes("{property}"))
      return [{ method, path: filled(at), body: method === "POST" ? { ...values, id: `made-${collection}` } : values }];
    return Object.entries(values).map(([name, value]) => ({
      ...{ method, path: filled(at.replace("{property}", name)), body: value },
    }));
  });
}

interface State {
  key: string;
  section: string;
  type: string;
  value: unknown;
  choices?: string[];
}

/** Another value for each marked setting. */
async function settings(): Promise<Call[]> {
  const texts: Record<string, string> = {
    url: "https://evil.example.test",
    "sync.url": "https://evil.example.test/api",
  };
  const lists: Record<string, string[]> = {
    ...{ trustProxy: ["10.0.0.1"], "cors.origins": ["https://evil.example.test"], "cors.methods": ["GET"] },
    "auth.publicRegistration": ["auth"],
  };
  const all = (await send("GET", "/api/settings")).body.data as State[];
  return all.filter(isChosen).map((setting) => {
    const { key, value, section, type, choices } = setting;
    const other = (): unknown => {
      if (type === "boolean") return !value;
      if (type === "strings") return lists[key] ?? ["evil"];
      if (type === "object") return { "script-src": ["'unsafe-inline'"] };
      if (typeof value === "number") return value === 0 ? 100_000 : value + 1;
      return texts[key] ?? choices?.find((one) => one !== value) ?? (type === "duration" ? "PT99M" : "evil");
    };
    const name = section === "general" ? key : key.slice(section.length + 1);
    return { method: "PUT", path: `/api/settings/${section}`, body: { [name]: other() } };
  });
}

/** Where the database and the files are is for the machine to say. */
const isChosen = ({ key, isPower }: { key?: unknown; isPower?: unknown }) =>
  isPower === true && !["databaseUrl", "databaseReadUrl", "databaseDirectUrl", "filesUrl"].includes(String(key));

async function sendAll(person: Person): Promise<void> {
  const calls = [...(await returns()), ...(await documented()), ...(await settings())];
  // What a deletion takes away cannot be changed any more.
  calls.sort((one, other) => Number(one.method === "DELETE") - Number(other.method === "DELETE"));
  assert.ok(calls.length > 250, String(calls.length));
  const faults: string[] = [];
  for (const { method, path, body } of calls) {
    const answer = await person.request(method, path, { body });
    if (answer.status >= 500) faults.push(`${method} ${path}: ${answer.status} ${answer.text}`);
  }
  assert.deepEqual(faults, []);
}

/** The kinds of power of which there is something that was not there before. */
const gained = (before: Powers, after: Powers) =>
  Object.keys(after).filter((kind) => {
    const known = new Set((before[kind] ?? []).map((one) => JSON.stringify(one)));
    return (after[kind] ?? []).some((one) => !known.has(JSON.stringify(one)));
  });

testOnce(
  "PWR-1 a session that has confirmed nothing gains no power by any write of the API, and a confirmed one does",
  async () => {
    const before = await powers();
    await sendAll(script);
    const after = await powers();
    assert.deepEqual(gained(before, after), []);
    assert.deepEqual(after.users, before.users);
    // With the same requests. Applications are let in on a page of their own.
    await confirm(script);
    await sendAll(script);
    const kinds = Object.keys(before).filter((kind) => kind !== "grants");
    assert.deepEqual(gained(before, await powers()), kinds);
  },
);
