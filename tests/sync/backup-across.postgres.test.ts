// A backup of one engine is put back on the other, and from there again on the first.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { cleanEnvironment, type Server, startServer } from "../harness.ts";
import { createDatabase } from "../support/databases.ts";
import { cairn, canSignIn, fillSite, look, visit } from "./site.ts";

/** The beginning of the log of changes. */
async function changesAt(url: string, key: string): Promise<{ cursor: string; changes: string[] }> {
  const answer = await fetch(`${url}/api/changes?limit=100`, { headers: { "x-api-key": key } });
  const { data, meta } = (await answer.json()) as {
    data: { kind: string; collection: string; id: string; by: { actor: string } }[];
    meta: { cursor: string };
  };
  return {
    cursor: meta.cursor,
    changes: data.map(({ kind, collection, id, by }) => `${kind} ${collection}/${id} ${by.actor}`),
  };
}

/** From another data directory, as another machine has it. */
async function refusedBeside({ env, request }: Server, dataDir: string, file: string): Promise<void> {
  const other = cleanEnvironment({ CAIRN_DATA: dataDir, CAIRN_DATABASE_URL: env.CAIRN_DATABASE_URL ?? "" });
  const refused = await cairn(other, "backup:restore-all", file, "--force");
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /Servers use this database: \S+ \(process \d+\)\. Stop them first\./);
  assert.equal((await request("GET", "/api/collections/tales")).status, 200);
}

test("BAK-3 BAK-20 BAK-23 FEED-16 a site moves between the engines and stays the same", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-across-"));
  const server = await startServer();
  const database = await createDatabase();
  try {
    await server.setSetting("history.default", "full");
    await fillSite(server);
    const seen = await look(server.url, server.key);
    const [first, second] = [join(folder, "first.zip"), join(folder, "second.zip")];
    assert.equal((await server.cli(["backup:create", first])).code, 0);
    await refusedBeside(server, join(folder, "beside"), first);

    const embedded = cleanEnvironment({ CAIRN_DATA: join(folder, "embedded"), CAIRN_LOG_LEVEL: "warn" });
    const there = await cairn(embedded, "backup:restore-all", first);
    assert.equal(there.code, 0, there.stderr);
    let log = { cursor: "", changes: [] as string[] };
    await visit(embedded, async ({ url }) => {
      assert.deepEqual(await look(url, server.key), seen);
      log = await changesAt(url, server.key);
    });
    assert.ok(log.changes.length > 2);
    // A change is listed once no transaction is open that may commit before it.
    await becomes(async () => (await changesAt(server.url, server.key)).changes, log.changes);
    assert.equal((await cairn(embedded, "backup:create", second)).code, 0);

    const places = { CAIRN_DATA: join(folder, "back"), CAIRN_DATABASE_URL: database.url };
    const back = cleanEnvironment({ ...places, CAIRN_LOG_LEVEL: "warn" });
    const again = await cairn(back, "backup:restore-all", second);
    assert.equal(again.code, 0, again.stderr);
    await visit(back, async ({ url }) => {
      assert.deepEqual(await look(url, server.key), seen);
      const { cursor, changes } = await changesAt(url, server.key);
      assert.deepEqual(changes, log.changes);
      assert.notEqual(cursor.split(".")[0], log.cursor.split(".")[0]);
      assert.ok(await canSignIn(url));
    });
    // What the database numbers itself goes on behind what was restored.
    const made = await cairn(back, "object:create", "tales", "--data-json", '{"title":"After"}');
    assert.equal(made.code, 0, made.stderr);
  } finally {
    await server.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  }
});
