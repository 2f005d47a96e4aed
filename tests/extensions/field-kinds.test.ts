// Field kinds of extensions on the server: checked, normalised, indexed, described, and kept when the extension is off.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { connect } from "../mcp/tool-caller.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

const code = `let calls = 0;
export function register(cairn) {
  cairn.field("place", {
    async normalise(values) {
      calls += 1;
      if (values.some(({ value }) => value.label === "Throw")) throw new Error("a secret of the code");
      return values.map(({ value, property, settings }) => value.label === "Nowhere"
        ? { error: "is nowhere" }
        : { value: { ...value, label: value.label.trim(), note: property + " " + calls + " " + (settings.zoom ?? "") } });
    },
  });
}`;
const place = {
  type: "object",
  required: ["label", "lat"],
  properties: {
    label: { type: "string", maxLength: 40 },
    lat: { type: "number", minimum: -90, maximum: 90 },
    tags: { type: "array", items: { type: "string" } },
    note: { type: "string" },
  },
  additionalProperties: false,
};
const fields = [
  {
    kind: "place",
    title: "Place",
    type: "json",
    schema: "place.schema.json",
    index: ["lat", "label", "tags"],
    text: ["label", "tags"],
    normalise: true,
  },
  { kind: "code", type: "string", schema: "code.schema.json" },
];

let server: Server;
const spots = "/api/collections/spots";
const write = (more: Record<string, unknown> = {}) =>
  writeExtension(join(server.dataDir, "extensions"), {
    id: "acme/map",
    manifest: { contributes: { fields: [{ ...fields[0], ...more }, fields[1]] } },
    files: {
      "index.ts": code,
      "place.schema.json": JSON.stringify(place),
      "code.schema.json": JSON.stringify({ type: "string", pattern: "^[A-Z]{3}$" }),
    },
  });

before(async () => {
  server = await startServer();
  write();
});
after(() => server.stop());

const create = (id: string, at: unknown, more = {}) =>
  server.request("POST", spots, { body: { id, title: id, at, ...more } });
const ids = async (query: string) => {
  const answer = await server.request("GET", `${spots}?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map((one: { id: string }) => one.id);
};

test("EXT-20 a property names a kind: its type is filled in, and a wrong or unknown one is refused", async () => {
  const schema = (at: unknown) => ({
    id: "spot",
    properties: { title: { type: "string" }, at },
    index: ["title", "at"],
  });
  const send = (at: unknown) => server.request("POST", "/api/schemas", { body: schema(at) });
  const early = await send({ field: "acme/map:place" });
  assert.equal(early.status, 400);
  assert.match(early.body.error.details.at[0], /No extension brings the field kind acme\/map:place/);
  await enableExtension(server, "acme/map");
  const wrong = await send({ field: "acme/map:place", type: "number" });
  assert.match(wrong.body.error.details.at[0], /has the type json/);
  const properties = {
    title: { type: "string", field: "text" },
    at: { field: "acme/map:place", settings: { zoom: 3 } },
    code: { field: "acme/map:code", help: "Three letters" },
    card: { type: "card", field: "card", schemaref: "spot-part" },
  };
  await server.makeSchema({ id: "spot-part", properties: { where: { field: "acme/map:place" } }, index: [] });
  await server.makeSchema({ id: "spot", properties, index: ["title", "at", "code"] });
  await server.makeCollection({ id: "spots", schema: "spot", mcp: { access: "authenticated" } });
  const saved = await server.request("GET", "/api/schemas/spot?raw=true");
  assert.match(saved.text, /"at":\{[^}]*json/);
});

test("EXT-20 EXT-21 values are checked by the kind's schema, and normalised when they change", async () => {
  const bad = await create("bad", { label: "X", lat: 100, more: 1 }, { code: "abc" });
  assert.equal(bad.status, 400, bad.text);
  assert.deepEqual(Object.keys(bad.body.error.details).sort(), ["at.lat", "at.more", "code"]);
  const made = await create("bern", { label: " Bern ", lat: 47, tags: ["Capital"] }, { code: "BRN" });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.body.data.at, { label: "Bern", lat: 47, tags: ["Capital"], note: "at 1 3" });
  const nowhere = await create("nowhere", { label: "Nowhere", lat: 1 });
  assert.deepEqual([nowhere.status, nowhere.body.error.details], [400, { at: ["is nowhere"] }]);
  const same = await server.request("PATCH", `${spots}/bern`, { body: { title: "Capital city" } });
  assert.equal(same.body.data.at.note, "at 1 3", "what did not change is not handed over");
  const card = await server.request("PATCH", `${spots}/bern`, {
    body: { card: { where: { label: " Inside ", lat: 2 } } },
  });
  assert.deepEqual(card.body.data.card.where, { label: "Inside", lat: 2, note: "card.where 3 " });
  assert.equal(card.body.data.at.note, "at 1 3");
  const thrown = await create("thrown", { label: "Throw", lat: 1 });
  assert.equal(thrown.status, 503);
  assert.match(thrown.text, /acme\/map/);
  assert.doesNotMatch(thrown.text, /secret/);
  const rows = [
    { id: "rome", title: "Rome", at: { label: "Rome ", lat: 41.9 } },
    { id: "oslo", title: "Oslo", at: { label: "Oslo", lat: "north" } },
  ];
  const imported = await server.request("POST", "/api/import/collections/spots/json", { body: rows });
  assert.equal(imported.body.created, 1, imported.text);
  assert.equal((await server.request("GET", `${spots}/rome`)).body.data.at.label, "Rome");
  assert.equal((await server.request("GET", `${spots}/oslo`)).status, 404);
});

test("EXT-22 parts of a value are filtered, sorted and searched", async () => {
  await create("lima", { label: "Lima", lat: -12, tags: ["Coast"] });
  assert.deepEqual(await ids("filter[at.lat][gt]=0&sort=at.lat:asc"), ["rome", "bern"]);
  assert.deepEqual(await ids("sort=at.lat:desc"), ["bern", "rome", "lima"]);
  assert.deepEqual(await ids("filter[at.label]=lima"), ["lima"]);
  assert.deepEqual(await ids("filter[at.tags]=coast"), ["lima"]);
  assert.deepEqual(await ids("filter[at.tags][empty]=true"), ["rome"]);
  assert.deepEqual(await ids("search=coast"), ["lima"]);
  assert.deepEqual(await ids("search=bern"), ["bern"]);
  const unknown = await server.request("GET", `${spots}?filter[at.note]=x`);
  assert.equal(unknown.status, 400, "only declared parts can be compared");
});

test("EXT-23 types, the OpenAPI document and AI clients describe the values", async () => {
  const types = await server.request("GET", "/api/types.d.ts");
  assert.match(types.text, /"lat": number;/);
  const { body } = await server.request("GET", "/api/openapi.json");
  assert.match(JSON.stringify(body), /"x-field":"acme\/map:place"/);
  const agent = await connect(server, { "x-api-key": server.key });
  const described = await agent.ask("describe_collection", { collection: "spots" });
  const at = described.properties.find(({ name }: { name: string }) => name === "at");
  assert.deepEqual([at.kind, at.filterable_parts], ["acme/map:place", ["lat", "label", "tags"]]);
  assert.equal(at.schema.properties.lat.maximum, 90);
});

test("EXT-22 other parts in a new version are indexed", async () => {
  write({ index: ["note"] });
  await server.request("GET", "/api/extensions");
  await until(async () => {
    const answer = await server.request("GET", `${spots}?filter[at.note]=at%201%203`);
    return answer.status === 200 && answer.body.data.some((one: { id: string }) => one.id === "bern");
  });
  write();
  await server.request("GET", "/api/extensions");
  await until(async () => (await server.request("GET", `${spots}?filter[at.lat]=47`)).body.data?.length === 1);
});

test("EXT-24 switched off, the last known kind goes on checking, and nothing is normalised", async () => {
  await server.request("POST", "/api/extensions/acme/map/disable");
  assert.deepEqual((await server.request("GET", `${spots}/bern`)).body.data.at.label, "Bern");
  const made = await create("later", { label: " Later ", lat: 3 });
  assert.deepEqual([made.status, made.body.data.at], [201, { label: " Later ", lat: 3 }]);
  assert.equal((await create("bad", { label: "X", lat: 100 })).status, 400);
  assert.deepEqual(await ids("filter[at.lat]=3"), ["later"]);
  const lint = await server.request("GET", "/api/schema-lint?schema=spot");
  assert.match(JSON.stringify(lint.body), /acme\/map is not enabled/);
  await server.restart();
  assert.equal((await create("bad", { label: "X", lat: 100 })).status, 400);
  assert.deepEqual(await ids("filter[at.lat]=3"), ["later"]);
});

test("EXT-20 an extension whose schema cannot be used is not enabled", async () => {
  writeExtension(join(server.dataDir, "extensions"), {
    id: "acme/wrong",
    manifest: { contributes: { fields: [{ kind: "odd", type: "json", schema: "odd.json" }] } },
    files: { "index.ts": "export function register() {}", "odd.json": '{"type": 5}' },
  });
  const { body } = await server.request("GET", "/api/extensions/acme/wrong");
  const answer = await server.request("POST", "/api/extensions/acme/wrong/enable", {
    body: { approve: body.data.fingerprint },
  });
  assert.equal(answer.status, 400);
  assert.match(answer.text, /contributes\.fields\.odd\.schema/);
});
