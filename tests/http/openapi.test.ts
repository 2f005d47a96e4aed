// The API's description of itself.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Server, startServer } from "../harness.ts";

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

test("HTTP-61 callers see the schemas of what they may read", async () => {
  const schemas = async (key?: null) =>
    (await server.request("GET", "/api/openapi.json", { ...(key === null && { key }) })).body.components.schemas;
  const known = await schemas();
  assert.deepEqual(known["open-note"].required, ["id", "title"]);
  assert.equal(known["open-note"].properties.tags.type, "array");
  assert.equal(known["open-note"].properties.secret.writeOnly, true);
  assert.ok(known["closed-note"]);
  const seen = await schemas(null);
  assert.ok(seen["open-note"]);
  assert.equal("closed-note" in seen, false);
  assert.equal(JSON.stringify(known).includes("hidden-default"), false);
});

test("HTTP-62 the reference page is complete in itself", async () => {
  const page = await server.request("GET", "/api/docs");
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  for (const route of routes) assert.ok(page.text.includes(`<code>${route.split(" ")[1]}</code>`), route);
  assert.doesNotMatch(page.text, /<(script|link|img|iframe)[^>]+(src|href)=|@import|url\(|style=|onclick=/);
  assert.ok(page.text.includes("&lt;b&gt;Notes&lt;/b&gt;"));
  assert.equal(page.text.includes("<b>Notes</b>"), false);
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

test("HTTP-63 answers are what the document says they are", async () => {
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

test("HTTP-63 what the document forbids is refused", async () => {
  const { body: document } = await server.request("GET", "/api/openapi.json");
  let tried = 0;
  for (const path of answering) {
    for (const { name, in: where, schema } of document.paths[path].get.parameters) {
      const wrong = schema.enum ? "no-such-word" : schema.type === "integer" ? "many" : undefined;
      if (where !== "query" || wrong === undefined) continue;
      const target = path.replaceAll(/\{(\w+)\}/g, (_, part) => places[part] as string);
      const answer = await server.request("GET", `${target}?${name}=${wrong}`);
      assert.equal(answer.status, 400, `${path}?${name}=${wrong}`);
      assert.ok(answer.body.error.details[name], `${path} names ${name}`);
      tried += 1;
    }
  }
  assert.ok(tried >= 6, `only ${tried} parameters were tried`);
});
