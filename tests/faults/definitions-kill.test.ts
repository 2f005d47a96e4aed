// Sudden death while a schema is being saved, and while an index is being rebuilt.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { engine, repeats, type Server, startServer } from "../harness.ts";
import { readAll, schema, versionOf } from "./writers.ts";

const cycles = engine === "sqlite" ? repeats(1, 8) : repeats(1, 4);
const objects = engine === "sqlite" ? repeats(4_000, 10_000) : repeats(2_000, 3_000);
let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema(schema);
  await server.makeCollection({ id: "ledger", schema: schema.id });
  const rows = Array.from({ length: objects }, (_, n) => JSON.stringify({ id: `n-${n}`, ...versionOf(n) }));
  const imported = await server.cli(["collection:import", "ledger", "-", "--format", "ndjson", "--json"], {
    input: rows.join("\n"),
  });
  assert.equal(imported.code, 0, imported.stderr);
});
after(() => server.stop());

async function dieDuring(work: () => Promise<unknown>): Promise<void> {
  let isStopped = false;
  const loop = (async () => {
    while (!isStopped) await work().catch(() => sleep(5));
  })();
  await sleep(50 + Math.random() * 500);
  await server.kill();
  isStopped = true;
  await loop;
  await server.restart();
}

test("DUR-10 a kill during a schema save leaves the old or the new schema, whole (F7)", async () => {
  const long = "x".repeat(20_000);
  const version = (letter: string) => ({
    ...schema,
    description: letter + long,
    properties: { ...schema.properties, [letter]: { type: "string", label: letter + long } },
  });
  // The first kill may come before the first save.
  assert.equal((await server.request("PUT", `/api/schemas/${schema.id}`, { body: version("b") })).status, 200);
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    let turn = 0;
    await dieDuring(() => {
      turn += 1;
      return server.request("PUT", `/api/schemas/${schema.id}`, { body: version(turn % 2 ? "a" : "b") });
    });
    const raw = await server.request("GET", `/api/schemas/${schema.id}?raw=true`);
    const flat = await server.request("GET", `/api/schemas/${schema.id}`);
    assert.deepEqual([raw.status, flat.status], [200, 200], `after kill ${cycle}`);
    const letter = raw.body.description[0];
    assert.equal(raw.body.description, letter + long);
    assert.equal(raw.body.properties[letter]?.label, letter + long);
    assert.equal(flat.body.properties[letter]?.label, letter + long);
    const object = await server.request("GET", "/api/collections/ledger/n-7");
    assert.equal(object.body.data.title, versionOf(7).title);
  }
});

test("DUR-11 a kill during an index rebuild leaves an index that is right (F6)", async () => {
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    await dieDuring(() => server.request("PUT", "/api/collections/ledger/index"));
    const page = await server.request("GET", "/api/collections/ledger?sort=number&order=desc&limit=3");
    assert.deepEqual(
      page.body.data.map(({ number }: { number: number }) => number),
      [objects - 1, objects - 2, objects - 3],
      `after kill ${cycle}`,
    );
    const search = await server.request("GET", "/api/collections/ledger/query?search=marker&limit=1");
    assert.equal(search.body.meta.pagination.total, objects, `full text after kill ${cycle}`);
    const settings = await server.request("GET", "/api/collections/ledger/settings");
    assert.equal(settings.body.data.totalObjects, objects, `total after kill ${cycle}`);
  }
  const ids = (await readAll(server, "ledger")).map(({ id }) => id);
  assert.equal(new Set(ids).size, objects);
});

test("ADM-565 a kill while a property is renamed loses and doubles no value, and lists stay whole meanwhile", async () => {
  let name = "number";
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const to = `figure${cycle}`;
    const body = { from: name, to };
    const rename = server.request("POST", `/api/schemas/${schema.id}/rename`, { body }).catch(() => undefined);
    await sleep(Math.random() * 400);
    await server.kill();
    await rename;
    await server.restart();
    const { properties } = (await server.request("GET", `/api/schemas/${schema.id}`)).body;
    const present = properties[to] ? to : name;
    // Objects may still be on their way.
    await checkLists(present, `after kill ${cycle}`);
    const wrong = (await readAll(server, "ledger")).filter((object) => !isMoved(object, present, [name, to]));
    assert.deepEqual(wrong.slice(0, 3), [], `after kill ${cycle}`);
    // A rename that was cut off can be repeated.
    const again = await server.request("POST", `/api/schemas/${schema.id}/rename`, { body });
    assert.equal(again.status, 200, again.text);
    await checkLists(to, `after rename ${cycle}`);
    name = to;
  }
  const rebuilt = await server.request("PUT", "/api/collections/ledger/index");
  assert.equal(rebuilt.status < 300, true, rebuilt.text);
  await checkLists(name, "at the end");
});

function isMoved(object: { id: string }, present: string, names: string[]): boolean {
  const values = object as unknown as Record<string, unknown>;
  const others = names.filter((each) => each !== present && each in values);
  return others.length === 0 && values[present] === Number(object.id.slice(2));
}

/** The order, a filter, and the entries of the query by this name. */
async function checkLists(name: string, when: string): Promise<void> {
  const page = await server.request("GET", `/api/collections/ledger?sort=${name}&order=desc&limit=2`);
  assert.deepEqual(
    page.body.data.map((object: Record<string, unknown>) => object[name]),
    [objects - 1, objects - 2],
    when,
  );
  const address = `/api/collections/ledger/query?filter[${name}][gte]=0&sort=${name}&limit=3`;
  const { body } = await server.request("GET", address);
  assert.deepEqual(
    [body.meta.pagination.total, body.data.map((entry: Record<string, unknown>) => entry[name])],
    [objects, [0, 1, 2]],
  );
}
