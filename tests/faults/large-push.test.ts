// A large push, with the machine to itself.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { timeAlone } from "#base/patience.fixture.ts";
import type { Answer, CliResult } from "../harness.ts";
import { type Pair, startPair } from "../sync/pair.ts";

let pair: Pair;

before(async () => {
  pair = await startPair();
});
after(() => pair.stop());

test("SYNC-71 a thousand schemas, settings and pages go in less than 10 seconds", async () => {
  const { here, there } = pair;
  const many = <T>(make: (id: string) => T): T[] => Array.from({ length: 1_000 }, (_, n) => make(`bulk-${n}`));
  const properties = {
    title: { type: "string" },
    body: { type: "string", field: "styledtext" },
    rank: { type: "number" },
  };
  const made = await here.request("POST", "/api/sync/import", {
    body: {
      schemas: many((id) => ({ id, properties, required: ["title"], index: ["title", "rank"] })),
      collections: { custom: many((id) => ({ id, schema: id, name: `Name of ${id}` })) },
      objects: many((id) => ({
        collection: "builder-pages",
        id,
        data: { title: id, template: "x", description: "words ".repeat(50) },
      })),
    },
  });
  assert.equal(made.status, 200, made.text.slice(0, 500));
  let pushed: CliResult | undefined;
  const ms = await timeAlone(async () => {
    pushed = await here.cli(["push", "--json"]);
  });
  const { code, stdout, stderr } = pushed as CliResult;
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).result.created.length, 3_001);
  assert.ok(ms < 10_000, `it took ${ms} ms`);
  const page = await there.request("GET", "/api/collections/builder-pages/bulk-999");
  assert.equal(page.body.data.title, "bulk-999");
});

test("SYNC-73 replacing a thousand objects, each with its snapshot, takes less than 5 seconds", async () => {
  const { there } = pair;
  const objects = Array.from({ length: 1_000 }, (_, n) => ({
    collection: "builder-pages",
    id: `bulk-${n}`,
    data: { title: `Replaced ${n}`, template: "x" },
  }));
  let replaced: Answer | undefined;
  const ms = await timeAlone(async () => {
    replaced = await there.request("POST", "/api/sync/import", { body: { objects } });
  });
  assert.equal(replaced?.body.data.updated.length, 1_000);
  assert.ok(ms < 5_000, `it took ${ms} ms`);
  const { stdout } = await there.cli(["backup:list", "--json"]);
  const kept = new Set((JSON.parse(stdout) as { id: string }[]).map(({ id }) => id));
  assert.ok(objects.every(({ id }) => kept.has(id)));
});
