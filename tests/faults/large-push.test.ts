// A large push, with the machine to itself.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { amongOthers } from "#base/patience.fixture.ts";
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
  const started = performance.now();
  const { code, stdout, stderr } = await here.cli(["push", "--json"]);
  const seconds = (performance.now() - started) / 1_000;
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).result.created.length, 3_001);
  assert.ok(seconds < amongOthers(10), `it took ${seconds.toFixed(1)} s`);
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
  const started = performance.now();
  const { body } = await there.request("POST", "/api/sync/import", { body: { objects } });
  const seconds = (performance.now() - started) / 1_000;
  assert.equal(body.data.updated.length, 1_000);
  assert.ok(seconds < amongOthers(5), `it took ${seconds.toFixed(1)} s`);
  const { stdout } = await there.cli(["backup:list", "--json"]);
  const kept = new Set((JSON.parse(stdout) as { id: string }[]).map(({ id }) => id));
  assert.ok(objects.every(({ id }) => kept.has(id)));
});
