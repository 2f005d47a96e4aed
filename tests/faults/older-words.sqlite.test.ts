// A database of an earlier version, whose words in the full-text index have no marks: the start does not wait for them,
// they are found meanwhile, and are made anew in the background.

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";

let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "note",
    properties: { title: { type: "string", field: "text" }, tags: { type: "list", field: "list" } },
    required: ["id"],
    index: ["id", "title", "tags"],
  });
  for (const id of ["birds", "fish"]) await server.makeCollection({ id, schema: "note" });
  for (let n = 0; n < 120; n += 1) {
    const body = { id: `n${n}`, title: `Heron ${n}`, tags: ["Grey Heron", `t${n}`] };
    await server.request("POST", "/api/collections/birds", { body });
  }
});

after(() => server.stop());

/** As the earlier version left it. */
function makeOlder(database: DatabaseSync): void {
  const entries = database.prepare("SELECT rid, json(idx) AS idx FROM object_index").all();
  database.exec("DELETE FROM object_fts");
  const insert = database.prepare("INSERT INTO object_fts (rowid, title, body) VALUES (?, ?, ?)");
  for (const { rid, idx } of entries) {
    const { title = "", tags = [] } = JSON.parse(String(idx));
    insert.run(Number(rid), title.toLowerCase(), tags.join(" ").toLowerCase());
  }
  database.exec("UPDATE object_index SET text_hash = 'earlier'; ALTER TABLE collections DROP COLUMN words");
  database.exec("DELETE FROM migrations WHERE name = '0030-words'");
}

test("STO-93 after an upgrade searches find the same, and words are rebuilt in the background", async () => {
  await server.terminate();
  const file = join(server.dataDir, ".system", "cairn.db");
  const database = new DatabaseSync(file);
  makeOlder(database);
  const unmarked = () =>
    database.prepare(`SELECT count(*) AS n FROM object_fts WHERE object_fts MATCH '"heron"'`).get()?.n;
  assert.equal(unmarked(), 120);
  await server.restart();
  const total = async (query: string) =>
    (await server.request("GET", `/api/collections/birds?limit=1&${query}`)).headers.get("x-total-count");
  const found = async () => [
    await total("search=hero"),
    await total("search=heron%2017"),
    await total("filter[tags]=grey%20heron"),
  ];
  assert.deepEqual(await found(), ["120", "1", "120"]);
  await until(unmarked, (count) => count === 0);
  assert.deepEqual(await found(), ["120", "1", "120"]);
  const stale = () => database.prepare("SELECT count(*) AS n FROM collections WHERE words = 0").get()?.n;
  await until(stale, (count) => count === 0);
  database.close();
});
