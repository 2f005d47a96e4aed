// Sudden death, again and again, with clients writing. SIGKILL leaves the page cache, so this proves atomicity and order.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { engine, repeats, type Server, startServer } from "../harness.ts";
import { compare, openJournal, schema, writeUntilStopped } from "./writers.ts";

const collections = ["north", "south", "west"];
const cycles = engine === "sqlite" ? repeats(3, 20) : repeats(2, 8);
let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema(schema);
  for (const id of collections) await server.makeCollection({ id, schema: schema.id });
});
after(() => server.stop());

/** What the collection says about itself: counters, index, and how many objects full text finds. */
async function describeCollection(collection: string) {
  const path = `/api/collections/${collection}`;
  const { count, totalObjects } = (await server.request("GET", `${path}/settings`)).body.data;
  const index = (await server.request("GET", `${path}/index?sort=id`)).body.data as { id: string }[];
  const search = (await server.request("GET", `${path}/query?search=marker&limit=1`)).body.meta.pagination.total;
  return { count, totalObjects, index, search };
}

test(`DUR-1 DUR-2 DUR-3 ${cycles} kills under four writers lose nothing that was answered (F1)`, async () => {
  const journal = openJournal();
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    journal.isStopped = false;
    const writers = Array.from({ length: 4 }, () => writeUntilStopped(server, journal, collections));
    await sleep(50 + Math.random() * 800);
    await until(() => journal.acked > cycle * 10);
    await server.kill();
    journal.isStopped = true;
    await Promise.all(writers);
    await server.restart();

    assert.deepEqual(await compare(server, journal, collections), [], `after kill ${cycle}`);
    for (const collection of collections) {
      const before = await describeCollection(collection);
      assert.equal(before.totalObjects, before.index.length, `total of ${collection} after kill ${cycle}`);
      assert.equal(before.search, before.index.length, `full text of ${collection} after kill ${cycle}`);
      if (cycle % 5 !== 0 && cycle !== cycles) continue;
      assert.equal((await server.request("PUT", `/api/collections/${collection}/index`)).status, 200);
      assert.deepEqual(await describeCollection(collection), before, `rebuilt ${collection} after kill ${cycle}`);
    }
  }
  assert.ok(journal.acked > cycles * 10, `only ${journal.acked} writes were answered`);
});
