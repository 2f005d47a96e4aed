// The shipped group of people who register, on a site that had a group of this id before. The earlier version is the present
// database without its migration.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { runSql } from "../../support/sql.ts";

let server: Server;
before(async () => {
  server = await startServer();
  for (const id of ["member", "member-2"])
    await server.request("PUT", `/api/access-groups/${id}`, { body: { description: "Of the club", permissions } });
});
after(() => server.stop());

const permissions = { collections: { operations: ["read"], all: true } };
const get = async (path: string) => (await server.request("GET", path)).body.data;

test("REG-19 a group member that a site had before stays its own; the shipped one gets the next free id", async () => {
  await server.terminate();
  await runSql(server, "ALTER TABLE access_groups DROP COLUMN ships");
  await runSql(server, "DELETE FROM migrations WHERE name = '0078-member-group'");
  await server.restart();
  assert.deepEqual((await get("/api/settings/auth")).registrationGroups, ["member-3"]);
  const own = await get("/api/access-groups/member");
  assert.deepEqual([own.description, own.permissions.collections.all], ["Of the club", true]);
  const shipped = await get("/api/access-groups/member-3");
  assert.deepEqual(shipped.permissions.collections, { operations: [], all: false, allowed: [] });

  assert.equal((await server.request("DELETE", "/api/access-groups/member-3")).status, 400);
  assert.equal(
    (await server.request("PUT", "/api/access-groups/member-3", { body: { description: "New" } })).status,
    200,
  );
  assert.equal((await server.request("DELETE", "/api/access-groups/member")).status, 204);
  assert.equal((await server.request("GET", "/api/access-groups/member")).status, 404);
  assert.equal((await get("/api/access-groups/member-3")).description, "New");
  const unset = await server.request("PUT", "/api/settings/auth", { body: { registrationGroups: null } });
  assert.deepEqual(unset.body.data.registrationGroups, ["member-3"]);
});
