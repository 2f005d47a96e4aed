// The API's description of itself.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { until } from "#base/patience.fixture.ts";
import { root, type Server, startServer } from "../../harness.ts";

let server: Server;
before(async () => {
  server = await startServer();
  for (const id of ["open-note", "closed-note"]) {
    await server.makeSchema({
      id,
      description: "<b>Notes</b>",
      properties: {
        title: { type: "string", field: "text", label: "Title" },
        tags: { type: "list", field: "list" },
        due: { type: "date", default: "now" },
        kind: { type: "string", default: "plain" },
        secret: { type: "password", field: "password", default: "hidden-default" },
      },
      required: ["title"],
      index: ["title"],
    });
  }
  await server.makeCollection({ id: "opens", schema: "open-note", publicOperations: ["read"] });
  await server.makeCollection({ id: "closeds", schema: "closed-note" });
});
after(() => server.stop());

const routes = [
  "get /api/collections",
  "post /api/collections",
  "get /api/collections/{collection}",
  "post /api/collections/{collection}",
  "delete /api/collections/{collection}",
  "get /api/collections/{collection}/{id}",
  "put /api/collections/{collection}/{id}",
  "patch /api/collections/{collection}/{id}",
  "delete /api/collections/{collection}/{id}",
  "post /api/collections/{collection}/{id}/clone",
  "get /api/collections/{collection}/schema",
  "get /api/collections/{collection}/settings",
  "put /api/collections/{collection}/settings",
  "patch /api/collections/{collection}/settings",
  "get /api/collections/{collection}/query",
  "get /api/collections/{collection}/index",
  "put /api/collections/{collection}/index",
  "put /api/collections/{collection}/{id}/{property}",
  "patch /api/collections/{collection}/{id}/{property}",
  "delete /api/collections/{collection}/{id}/{property}",
  "post /api/collections/{collection}/{id}/{property}/increment",
  "post /api/collections/{collection}/{id}/{property}/increment/{amount}",
  "post /api/collections/{collection}/{id}/{property}/decrement",
  "post /api/collections/{collection}/{id}/{property}/decrement/{amount}",
  "put /api/collections/{collection}/{id}/{property}/{name}",
  "patch /api/collections/{collection}/{id}/{property}/{name}",
  "post /api/collections/{collection}/{id}/{property}/deck",
  "get /api/collections/{collection}/{id}/{property}/deck/{itemId}",
  "put /api/collections/{collection}/{id}/{property}/deck/{itemId}",
  "delete /api/collections/{collection}/{id}/{property}/deck/{itemId}",
  "get /api/report/collections/{collection}/fields",
  "get /api/report/collections/{collection}/csv",
  "get /api/report/collections/{collection}/json",
  "get /api/schemas",
  "post /api/schemas",
  "get /api/schemas/{id}",
  "put /api/schemas/{id}",
  "delete /api/schemas/{id}",
  "post /api/auth/login",
  "post /api/auth/logout",
  "get /api/auth/session",
  "get /api/auth/sessions",
  "delete /api/auth/sessions/{id}",
  "post /api/auth/impersonate/{userId}",
  "post /api/auth/impersonate/stop",
  "get /api/settings/{section}",
  "put /api/settings/{section}",
  "post /api/import/collections/{collection}/csv",
  "post /api/import/collections/{collection}/json",
  "post /api/import/schemas",
  "get /api/export/collections/{collection}",
  "get /api/export/collections/{collection}/csv",
  "get /api/export/schemas/{id}",
];

test("HTTP-60 every route is described, once", async () => {
  const { status, body } = await server.request("GET", "/api/openapi.json");
  assert.equal(status, 200);
  assert.equal(body.openapi, "3.1.0");
  const described = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method} ${path}`),
  );
  for (const route of routes) assert.ok(described.includes(route), route);
  const ids = Object.values(body.paths).flatMap((methods) =>
    Object.values(methods as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
  const shapes = Object.keys(body.paths).map((path) => path.replace(/\{\w+\}/g, "{}"));
  assert.equal(new Set(shapes).size, shapes.length);
});

test("HTTP-60 the document holds together: parameters are declared, references lead somewhere", async () => {
  const { body } = await server.request("GET", "/api/openapi.json");
  for (const [path, methods] of Object.entries<
    Record<string, { parameters: { name: string; in: string }[]; responses: object }>
  >(body.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters, responses } of Object.values(methods)) {
      assert.deepEqual(
        parameters.filter(({ in: where }) => where === "path").map(({ name }) => name),
        inPath,
      );
      assert.ok(Object.keys(responses).length > 0);
    }
  }
  for (const [, reference] of JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    let target = body;
    for (const part of (reference as string).split("/")) target = target?.[part];
    assert.ok(target, reference);
  }
});

test("HTTP-61 callers see the schemas of collections they may read", async () => {
  const schemas = async (key?: null) =>
    (await server.request("GET", "/api/openapi.json", { ...(key === null && { key }) })).body.components.schemas;
  const known = await schemas();
  assert.deepEqual(known["open-note"].required, ["id", "title"]);
  assert.equal(known["open-note"].properties.tags.type, "array");
  assert.equal(known["open-note"].properties.secret.writeOnly, true);
  assert.equal(known["open-note"].properties.kind.default, "plain");
  assert.equal("default" in known["open-note"].properties.due, false, "a word that stands for a time is none");
  assert.ok(known["closed-note"]);
  const seen = await schemas(null);
  assert.ok(seen["open-note"]);
  assert.equal("closed-note" in seen, false);
  assert.equal(JSON.stringify(known).includes("hidden-default"), false);
});

test("HTTP-66 each collection that the caller may read has paths and bodies of its own", async () => {
  const { body } = await server.request("GET", "/api/openapi.json");
  const list = body.paths["/api/collections/opens"];
  assert.equal(
    list.get.responses["200"].content["application/json"].schema.properties.data.items.$ref,
    "#/components/schemas/open-note",
  );
  assert.deepEqual([list.get.operationId, list.post.operationId, list.delete], ["listOpens", "createOpens", undefined]);
  assert.equal(list.post.requestBody.content["application/json"].schema.$ref, "#/components/schemas/open-note.input");
  const one = body.paths["/api/collections/opens/{id}"];
  assert.deepEqual(Object.keys(one).sort(), ["delete", "get", "patch", "put"]);
  assert.deepEqual(body.components.schemas["open-note.input"].required, ["title"]);
  assert.equal(body.components.schemas["open-note.change"].required, undefined);
  // Generators take a property with a default for required.
  assert.doesNotMatch(JSON.stringify(body.components.schemas["open-note.change"].properties), /"default"/);
  assert.ok(list.get.responses["200"].content["application/json"].schema.properties.expand);
  const paths = Object.values<Record<string, { operationId: string }>>(body.paths);
  const ids = paths.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  assert.equal(new Set(ids).size, ids.length);
  const seen = await server.request("GET", "/api/openapi.json", { key: null });
  assert.ok(seen.body.paths["/api/collections/opens"]);
  assert.equal(seen.text.includes("closeds"), false);
  assert.equal(seen.text.includes("Closeds"), false);
});

test("HTTP-67 the types of collections compile, and hold what texts cannot break", async () => {
  await server.makeSchema({
    id: "odd-2",
    description: "ends */ export const broken = 1; /*",
    properties: {
      "a-b": { type: "string", help: "*/ }", enum: ['"', "x"] },
      amount: { type: "number" },
      shot: { type: "image" },
      rows: { type: "deck", schemaref: "open-note" },
    },
    required: ["amount"],
    index: [],
  });
  await server.makeCollection({ id: "odd", schema: "odd-2" });
  const types = await server.request("GET", "/api/types.d.ts");
  assert.equal(types.status, 200);
  assert.match(types.headers.get("content-type") ?? "", /^text\/plain/);
  const folder = mkdtempSync(join(tmpdir(), "cairn-types-"));
  try {
    writeFileSync(join(folder, "cairn.d.ts"), types.text);
    const used = `import type { Collections } from "./cairn.d.ts";
      const odd: Collections["odd"] = { id: "x", amount: 1, "a-b": "x", rows: [{ id: "r", title: "t" }] };
      const title: string = odd.rows?.[0]?.title ?? "";
      // @ts-expect-error a text is no number
      const amount: string = odd.amount;
      // @ts-expect-error another choice
      odd["a-b"] = "y";
      export { amount, title };`;
    writeFileSync(join(folder, "use.ts"), used);
    const tsc = join(root, "node_modules", ".bin", "tsc");
    const args = ["--noEmit", "--strict", "--module", "nodenext", "--target", "esnext", "--types", "", "use.ts"];
    const run = spawnSync(process.execPath, [tsc, ...args], { cwd: folder, encoding: "utf8" });
    assert.equal(run.status, 0, run.stdout + run.stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
  assert.equal((await server.request("GET", "/api/types.d.ts", { key: null })).status, 401);
});

test("CLI-68 types are written to a file, as JSON Schema too, and again after a change", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-types-"));
  const file = join(folder, "types.d.ts");
  const watch = spawn(process.execPath, ["src/main.ts", "types", "--out", file, "--watch"], {
    cwd: root,
    env: server.env,
    stdio: "ignore",
  });
  try {
    const shown = await server.cli(["types"]);
    assert.match(shown.stdout, /export interface Collections \{[^}]*opens: OpenNote;/);
    const schema = join(folder, "schema.json");
    assert.equal((await server.cli(["types", "--out", schema])).code, 0);
    const written = JSON.parse(readFileSync(schema, "utf8"));
    assert.equal(written.properties.opens.$ref, "#/$defs/open-note");
    new Ajv2020({ strict: false, validateFormats: false }).compile(written);
    assert.equal((await server.cli(["types", "--watch"])).code, 2);
    await until(() => existsSync(file));
    await server.makeSchema({ id: "later", properties: { when: { type: "date" } }, required: [], index: [] });
    await server.makeCollection({ id: "laters", schema: "later" });
    await until(() => readFileSync(file, "utf8").includes("laters: Later;"));
  } finally {
    watch.kill();
    rmSync(folder, { recursive: true });
  }
});

test("HTTP-62 the reference page is complete in itself", async () => {
  const page = await server.request("GET", "/api/docs");
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  for (const route of routes) assert.ok(page.text.includes(`<code>${route.split(" ")[1]}</code>`), route);
  assert.doesNotMatch(page.text, /<(script|link|img|iframe)[^>]+(src|href)=|@import|url\(|style=|onclick=/);
  assert.ok(page.text.includes("&lt;b&gt;Notes&lt;/b&gt;"));
  const order = [...page.text.matchAll(/<section data-group><h2>([^<]+)/g)].map(([, tag]) => tag);
  assert.deepEqual(order.slice(0, 3), ["Collections", "Objects", "Query and index"]);
  assert.match(page.text, /curl -X POST &#39;http\S+\/api\/collections\/\w+&#39;/);
  assert.match(page.text, /await cairn\.collection\(&quot;\w+&quot;\)\.patch\(/);
  const seen = await server.request("GET", "/api/docs", { key: null });
  assert.match(seen.text, /Collections that you may read: <code>opens<\/code>\./);
  assert.equal(seen.text.includes("closeds"), false);
  assert.equal(page.text.includes("<b>Notes</b>"), false);
});

test("HTTP-69 the documents are kept until something that shows changes, for callers with the same rights", async () => {
  const gzip = { "accept-encoding": "gzip" };
  for (const path of ["/api/openapi.json", "/api/docs", "/api/types.d.ts"]) {
    const first = await server.request("GET", path);
    const etag = first.headers.get("etag") as string;
    assert.match(first.headers.get("cache-control") ?? "", /private, no-cache/);
    const again = await server.request("GET", path, { headers: { "if-none-match": etag } });
    assert.deepEqual([again.status, again.text], [304, ""]);
    const packed = await fetch(server.url + path, { headers: { ...gzip, "x-api-key": server.key } });
    assert.deepEqual([packed.headers.get("content-encoding"), await packed.text()], ["gzip", first.text]);
    const known = { ...gzip, "if-none-match": packed.headers.get("etag") as string };
    assert.equal((await server.request("GET", path, { headers: known })).status, 304);
  }
  const seen = async (key: string | null) => {
    const { paths } = (await server.request("GET", "/api/openapi.json", { key })).body;
    return ["opens", "closeds", "latests"].filter((id) => paths[`/api/collections/${id}`] !== undefined).join();
  };
  assert.deepEqual(await Promise.all([null, server.key].map(seen)), ["opens", "opens,closeds"]);
  await server.makeCollection({ id: "latests", schema: "open-note", publicOperations: ["read"] });
  assert.deepEqual([await seen(null), await seen(server.key)], ["opens,latests", "opens,closeds,latests"]);
  assert.equal((await server.request("DELETE", "/api/collections/latests")).status, 204);
  assert.deepEqual([await seen(null), await seen(server.key)], ["opens", "opens,closeds"]);
});

/** Where each parameter in a path leads in this test. */
const places: Record<string, string> = { collection: "opens", id: "first", section: "api", property: "title" };
const answering = [
  "/api/collections",
  "/api/collections/{collection}",
  "/api/collections/{collection}/{id}",
  "/api/collections/{collection}/settings",
  "/api/collections/{collection}/query",
  "/api/collections/{collection}/index",
  "/api/schemas",
  "/api/settings/{section}",
  "/api/apikeys",
  "/api/access-groups",
  "/api/jobs",
  "/api/webhooks",
  "/api/oauth-clients",
  "/api/oauth-grants",
];

test("HTTP-63 answers match the document", async () => {
  await server.request("POST", "/api/collections/opens", { body: { id: "first", title: "One", tags: ["a"] } });
  const { body: document } = await server.request("GET", "/api/openapi.json");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "document");
  for (const path of answering) {
    const answer = await server.request(
      "GET",
      path.replaceAll(/\{(\w+)\}/g, (_, name) => places[name] as string),
    );
    assert.equal(answer.status, 200, path);
    const pointer = path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D");
    const schema = `document#/paths/${pointer}/get/responses/200/content/application~1json/schema`;
    const isAsSaid = ajv.compile({ $ref: schema });
    assert.ok(isAsSaid(answer.body), `${path}: ${ajv.errorsText(isAsSaid.errors)}`);
  }
});

interface Parameter {
  name: string;
  in: string;
  schema: { type?: string | string[]; enum?: string[] };
}
interface Described {
  method: string;
  path: string;
  /** With real names in it. */
  target: string;
  parameters: Parameter[];
  responses: Record<string, { content?: Record<string, object> }>;
}

/** Every route of the API, reads first, so that what a later one takes away is missed by none. */
async function listDescribed(): Promise<Described[]> {
  const { body } = await server.request("GET", "/api/openapi.json");
  const order = ["get", "post", "patch", "put", "delete"];
  return Object.entries<Record<string, Described>>(body.paths)
    .filter(([path]) => path.startsWith("/api/"))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters, responses }]) => {
        const target = path.replaceAll(/\{(\w+)\}/g, (_, part) => places[part] ?? "first");
        return { method, path, target, parameters, responses };
      }),
    )
    .sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
}

function badValue({ name, schema: { type, enum: choices } }: Parameter): string {
  if (choices) return `${name}=no-such-word`;
  if (type === "integer") return `${name}=many`;
  return type === "object" ? `${name}=plain` : `${name}[deep]=1`;
}

/** Text, or an object by names in brackets: whatever is sent is one of the two. */
const takesAll = ({ schema: { type } }: Parameter) => Array.isArray(type) && type.includes("object");

test("HTTP-63 whatever the document forbids is refused, naming the parameter", async () => {
  await server.request("POST", "/api/collections/opens", { body: { id: "first", title: "One" } });
  let tried = 0;
  for (const { method, path, target, parameters } of await listDescribed()) {
    for (const parameter of parameters.filter((one) => one.in === "query" && !takesAll(one))) {
      const bad = badValue(parameter);
      const isUpload = path.startsWith("/api/upload") || (method === "post" && path.endsWith("/{property}"));
      const body = method === "get" || method === "delete" || isUpload ? {} : { body: {} };
      const answer = await server.request(method.toUpperCase(), `${target}?${bad}`, body);
      assert.equal(answer.status, 400, `${method} ${path}?${bad}: ${answer.text}`);
      assert.ok(answer.text.includes(parameter.name), `${method} ${path}?${bad} names it: ${answer.text}`);
      tried += 1;
    }
  }
  assert.ok(tried >= 60, `only ${tried} parameters were tried`);
});

/** An answer that stays open: its end is not waited for. */
const isStream = ({ responses }: Described) => "text/event-stream" in (responses["200"]?.content ?? {});

/** When a key was last used is written down once a second, and so may change between any two requests. */
const withoutUse = (text: string) => text.replaceAll(/"lastUsed":"[^"]*"/g, "");

test("HTTP-64 a parameter that the document does not name for a route makes no difference", async () => {
  const all = await listDescribed();
  const names = new Set(all.flatMap(({ parameters }) => parameters.filter((p) => p.in === "query").map((p) => p.name)));
  let tried = 0;
  for (const { method, target, parameters } of all.filter((route) => !isStream(route))) {
    // The state of the service is another with each request: uptime, disk space, figures of caches.
    if (method !== "get" || /^\/api\/(openapi|auth|passkeys|sync|system|cache)/.test(target)) continue;
    const fields = target.startsWith("/api/report") && !target.endsWith("/fields") ? "fields=id&" : "";
    const plain = await server.request("GET", `${target}?${fields}`);
    if (plain.status !== 200) continue;
    const others = [...names].filter((name) => !parameters.some((parameter) => parameter.name === name));
    const query = others.map((name) => `${name}=no-such-word`).join("&");
    const answer = await server.request("GET", `${target}?${fields}${query}`);
    assert.deepEqual([answer.status, withoutUse(answer.text)], [200, withoutUse(plain.text)], `${target}?${query}`);
    tried += 1;
  }
  assert.ok(tried >= 25, `only ${tried} routes were tried`);
});

test("HTTP-65 a route that describes a stream opens one", async () => {
  const streams = (await listDescribed()).filter(isStream);
  assert.ok(streams.length > 0);
  for (const { target } of streams) {
    const gone = new AbortController();
    const headers = { "x-api-key": server.key };
    const { status, headers: answered } = await fetch(`${server.url}${target}`, { headers, signal: gone.signal });
    assert.deepEqual([status, answered.get("content-type")?.split(";")[0]], [200, "text/event-stream"], target);
    gone.abort();
  }
});

test("HTTP-65 every route answers as its description says, to a request of the simplest kind", async () => {
  const seen = new Map<number, number>();
  for (const { method, path, target, responses } of (await listDescribed()).filter((route) => !isStream(route))) {
    const sent = method === "get" || method === "delete" ? {} : { body: {} };
    const { status, text, headers, body } = await server.request(method.toUpperCase(), target, sent);
    seen.set(status, (seen.get(status) ?? 0) + 1);
    assert.ok(status < 500, `${method} ${path}: ${status} ${text}`);
    const described = responses[String(status)];
    if (status >= 400) {
      assert.ok("default" in responses && body.error, `${method} ${path}: ${status} ${text}`);
      continue;
    }
    assert.ok(described, `${method} ${path} answers ${status}, which is not described`);
    const [type] = (headers.get("content-type") ?? "").split(";");
    assert.equal(text !== "", described.content !== undefined, `${method} ${path}: ${status} ${text.slice(0, 80)}`);
    if (described.content)
      assert.ok(Object.keys(described.content).includes(String(type)), `${method} ${path}: ${type}`);
  }
  assert.ok((seen.get(200) ?? 0) >= 40, JSON.stringify([...seen]));
});
