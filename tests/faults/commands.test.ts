// The command line beside a busy server, on the same data.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { compare, openJournal, schema, writeUntilStopped } from "./writers.ts";

let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema(schema);
  for (const id of ["north", "south"]) await server.makeCollection({ id, schema: schema.id });
});
after(() => server.stop());

test("DUR-13 commands that write beside a busy server lose nothing, and the server sees them at once (F21)", async () => {
  const journal = openJournal();
  const writers = Array.from({ length: 4 }, () => writeUntilStopped(server, journal, ["north"]));
  for (let n = 1; n <= 5; n += 1) {
    const created = await server.cli(["object:create", "south", "--data-json", `{"id":"by-command-${n}","title":"x"}`]);
    assert.equal(created.code, 0, created.stderr);
    assert.equal((await server.request("GET", `/api/collections/south/by-command-${n}`)).status, 200);
    const list = await server.request("GET", "/api/collections/south?limit=100");
    assert.equal(list.body.data.length, n);
  }
  const patched = await server.cli(["object:patch", "south", "by-command-1", "--property", "title=changed"]);
  assert.equal(patched.code, 0, patched.stderr);
  assert.equal((await server.request("GET", "/api/collections/south/by-command-1")).body.data.title, "changed");
  journal.isStopped = true;
  await Promise.all(writers);
  assert.deepEqual(await compare(server, journal, ["north"]), []);
  assert.ok(journal.acked > 20, `only ${journal.acked} writes were answered`);
});
