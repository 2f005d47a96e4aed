// Attacks that go through schemas: references that reach out, patterns that never end, passwords that are retyped.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { fresh, id, schemaTools } from "../../support/schema-tools.ts";

let server: Server;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

const { made, collectionOf, get, post, put } = schemaTools(() => server);

test("SCH-31 references never reach a file or an address (T25)", async () => {
  let hits = 0;
  const canary = createServer((_, response) => {
    hits++;
    response.end("{}");
  }).listen(0, "127.0.0.1");
  after(() => canary.close());
  await new Promise((done) => canary.once("listening", done));
  const address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
  const marker = `marker-${fresh()}`;
  writeFileSync(join(server.dataDir, "outside.json"), JSON.stringify({ type: "string", default: marker }));
  const refs = [
    `${address}/evil.json`,
    `file://${server.dataDir}/outside.json`,
    "../outside.json",
    `${server.dataDir}/outside.json`,
    "../.system/settings",
    "#/$defs/x",
    "\\\\host\\share\\x.json",
  ];
  for (const $ref of refs) {
    const schema = await made({
      $ref,
      $id: `${address}/id.json`,
      $schema: `${address}/meta.json`,
      inheritFrom: [$ref],
      properties: {
        id,
        direct: { $ref },
        nested: { type: "json", items: { $ref }, anyOf: [{ $ref }, {}], properties: { a: { $ref } } },
        card: { type: "card", schemaref: $ref },
        deck: { type: "deck", settings: { deckref: $ref } },
      },
    });
    const collection = await collectionOf(schema);
    const written = await server.request("POST", `/api/collections/${collection}`, {
      body: { id: "a", direct: "text", nested: [1], card: { a: 1 }, deck: [{ id: "x", a: 1 }] },
    });
    assert.ok(written.status < 500, written.text);
    const { text } = await get(`/api/collections/${collection}/schema`);
    assert.ok(!text.includes(marker) && !written.text.includes(marker));
  }
  assert.equal(hits, 0);
});

test("SCH-56 hostile patterns are refused or matched in linear time, wherever they hide (T11)", async () => {
  for (const hidden of [
    { pattern: "(a)\\1" },
    { pattern: "(?=a)a" },
    { type: "array", items: { pattern: "(?!x)y" } },
  ]) {
    const { status, body } = await post({ id: fresh(), properties: { id, p: hidden } });
    assert.equal(status, 400);
    assert.match(body.error.details.p[0], /pattern cannot be used: ./);
  }
  const schema = await made({
    properties: {
      id,
      p: { type: "string", pattern: "^(a+)+$" },
      q: { type: "array", items: { type: "string", pattern: "^(a|a)*$" } },
    },
  });
  const collection = await collectionOf(schema);
  const poison = `${"a".repeat(50_000)}!`;
  const refuse = async () => {
    const body = { id: "a", p: poison, q: [poison] };
    assert.equal((await server.request("POST", `/api/collections/${collection}`, { body })).status, 400);
  };
  assert.ok((await leastTime(500, refuse)) < 500);
});

test("SCH-69 a password that a save retypes is never shown (T4)", async () => {
  const secret = "correct horse battery";
  for (const retyped of [
    { type: "string" },
    { type: "json" },
    { type: "string", field: "textarea", default: "x" },
    { type: "list" },
  ]) {
    const schema = await made({ properties: { id, p: { type: "password", minLength: 4 } } });
    const collection = await collectionOf(schema);
    await server.request("POST", `/api/collections/${collection}`, {
      body: { id: "a", p: secret.replaceAll(" ", "-") },
    });
    assert.equal((await put(schema, { properties: { id, p: retyped }, index: ["p"] })).status, 200);
    for (const path of ["a", "", "query", "index", "query?format=csv", "query?search=argon2id"]) {
      const { text } = await get(`/api/collections/${collection}${path.startsWith("?") ? "" : "/"}${path}`);
      assert.ok(!text.includes("argon2") && !text.includes("correct"), `${path}: ${text}`);
    }
    await put(schema, { properties: { id, p: { type: "password" } } });
    const { text } = await get(`/api/collections/${collection}/a`);
    assert.ok(!text.includes("argon2") && !text.includes('"p"'));
  }
});

test("SCH-69 a child that overrides an inherited password shows nothing of it (T4)", async () => {
  const parent = await made({ properties: { id, p: { field: "password" }, title: { type: "string" } } });
  const child = await made({ inheritFrom: [parent], properties: { note: { type: "string" } } });
  const collection = await collectionOf(child);
  await server.request("POST", `/api/collections/${collection}`, { body: { id: "a", title: "T", p: "opensesame" } });
  await put(child, { inheritFrom: [parent], properties: { p: { type: "string", field: "text" } }, index: ["p"] });
  for (const path of ["/a", "", "/query", "/index"]) {
    const { text } = await get(`/api/collections/${collection}${path}`);
    assert.ok(!text.includes("argon2") && !text.includes("opensesame"), text);
  }
  const patched = await server.request("PATCH", `/api/collections/${collection}/a`, { body: { title: "U" } });
  assert.ok(!patched.text.includes("argon2"));
});

test("SCH-69 a password inside a deck item stays hidden when its schema is retyped (T4)", async () => {
  const item = await made({ properties: { id, pin: { type: "password" }, label: { type: "string" } } });
  const owner = await made({ properties: { id, deck: { type: "deck", schemaref: item } } });
  const collection = await collectionOf(owner);
  const sent = { id: "a", deck: [{ id: "x", pin: "opensesame", label: "L" }] };
  await server.request("POST", `/api/collections/${collection}`, { body: sent });
  await put(item, { properties: { id, pin: { type: "string" }, label: { type: "string" } } });
  const { text, body } = await get(`/api/collections/${collection}/a`);
  assert.equal(body.data.deck[0].label, "L");
  assert.ok(!text.includes("argon2") && !text.includes("opensesame"), text);
});
