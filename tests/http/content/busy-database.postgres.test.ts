// A database that is busy with something else: a lock of the test's own makes every query wait.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type Server, startServer } from "../../harness.ts";

let server: Server;
let database: Client;

before(async () => {
  server = await startServer();
  database = new Client({ connectionString: server.env.CAIRN_DATABASE_URL });
  await database.connect();
  await server.makeSchema({ id: "note", properties: { title: { type: "string" } }, index: ["title"] });
  await server.makeCollection({ id: "notes", schema: "note" });
  for (let n = 0; n < 5; n++) {
    await server.request("POST", "/api/collections/notes", { body: { title: `Note ${n}` } });
  }
});
after(async () => {
  await database?.end();
  await server?.stop();
});

/** Different each time, so that no cached page answers. */
let asked = 0;
const list = () => {
  asked += 1;
  return server.request("GET", `/api/collections/notes?filter[title][ne]=x${asked}&sort=title`);
};

test("STO-117 lists that had to wait in the database make none of 32 lists of one key refused", async () => {
  const statuses = new Set<number>();
  for (let round = 0; round < 3; round++) {
    await database.query("BEGIN");
    await database.query("LOCK TABLE object_index IN ACCESS EXCLUSIVE MODE");
    const waiting = [list(), list()];
    await sleep(100);
    await database.query("COMMIT");
    const answers = await Promise.all([...waiting, ...Array.from({ length: 32 }, list)]);
    for (const { status } of answers) statuses.add(status);
  }
  assert.deepEqual([...statuses], [200]);
});
