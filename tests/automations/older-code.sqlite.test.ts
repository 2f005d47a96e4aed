// Code whose author is not known: from before authors were noted, or put into the database by other hands.

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";

let server: Server;
const definition = "export default () => [1]";

before(async () => {
  server = await startServer();
  for (const id of ["old", "foreign"]) {
    await server.request("POST", "/api/collections/dataviews", { body: { id, name: id, definition } });
    await server.request("POST", "/api/collections/automations", { body: { id, handler: "export default () => 1" } });
  }
  await server.terminate();
  const db = new DatabaseSync(join(server.dataDir, ".system", "cairn.db"));
  db.exec("DELETE FROM code_authors WHERE object_id = 'old'");
  db.exec("UPDATE code_authors SET digest = 'of other code' WHERE object_id = 'foreign'");
  db.close();
  await server.restart();
});
after(() => server.stop());

const rebuilt = async (id: string) =>
  (await server.request("POST", `/api/dataviews/${id}/rebuild`)).body.data.lastError as string | null;
const ran = async (id: string) => (await server.request("POST", `/api/automations/${id}/run`)).body.data;

test("VIEW-16 a view without a known author is not built until its definition is saved again", async () => {
  for (const id of ["old", "foreign"]) {
    assert.match((await rebuilt(id)) ?? "", /not known who last saved the definition\. Save "definition" again/);
    await server.request("PATCH", `/api/collections/dataviews/${id}`, { body: { name: "other words" } });
    assert.match((await rebuilt(id)) ?? "", /not known/);
    await server.request("PATCH", `/api/collections/dataviews/${id}`, { body: { definition } });
    assert.equal(await rebuilt(id), null);
  }
});

test("ATM-45 an automation from before authors were noted runs; one that was changed by other hands does not", async () => {
  assert.equal((await ran("old")).result, 1);
  const { status, error } = await ran("foreign");
  assert.equal(status, "failed");
  assert.match(error, /not known who last saved the handler\. An administrator must save "handler" again/);
});
