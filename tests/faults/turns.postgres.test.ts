// Nodes with data directories of their own, whose requests wait for each other's turn. Moments are made by a lease that the test
// holds: as the other node would, it stores a change and gives the lease back in one commit, and tells nobody.

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";

let first: Server;
let second: Server;
let folder: string;
let database: Client;

before(async () => {
  first = await startServer();
  const { CAIRN_DATABASE_URL = "" } = first.env;
  folder = mkdtempSync(join(tmpdir(), "cairn-node-"));
  const CAIRN_SITE_KEY_FILE = join(first.dataDir, ".system", "site.key");
  second = await startServer({ dataDir: folder, env: { CAIRN_DATABASE_URL, CAIRN_SITE_KEY_FILE } });
  database = new Client({ connectionString: CAIRN_DATABASE_URL });
  await database.connect();
});
after(async () => {
  await database?.end();
  await second?.stop();
  await first?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (server: Server, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  server.request(method, `/api/${path}`, { key: first.key, headers, ...(body && { body }) });

const tagOf = async (path: string) => (await ask(second, "GET", path)).headers.get("etag") as string;

interface Definition {
  kind: string;
  id: string;
  change: (content: string) => string;
}

/** What the request does on the second node, when another node has changed the definition while it waited for its turn. */
async function afterAnother(lease: string, { kind, id, change }: Definition, request: () => ReturnType<typeof ask>) {
  const owner = JSON.stringify({ machine: "elsewhere", pid: 1, run: "another" });
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const take = "INSERT INTO holds (id, owner, lease_until) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING";
  // What earlier saves have caused may still have it.
  await until(async () => (await database.query(take, [lease, owner, inAnHour])).rowCount === 1);
  const asked = request();
  // It has caught up, and waits.
  await sleep(300);
  const key = [kind, id];
  const { rows } = await database.query("SELECT content FROM definitions WHERE kind = $1 AND id = $2", key);
  const content = change(rows[0].content);
  await database.query("BEGIN");
  await database.query("UPDATE definitions SET content = $3, hash = $4, rev = rev + 1 WHERE kind = $1 AND id = $2", [
    ...key,
    ...[content, hash("sha256", content, "base64url")],
  ]);
  await database.query("INSERT INTO touched (sender, scope) VALUES ('another', 'definitions')");
  await database.query("DELETE FROM holds WHERE id = $1", [lease]);
  await database.query("COMMIT");
  return asked;
}

test("NOD-21 a save that waited for one of another node sees it: If-Match is refused, other settings stay", async () => {
  const body = { id: "turn", title: "Old", properties: { title: { type: "string" } }, index: [] };
  assert.equal((await ask(first, "POST", "schemas", body)).status, 201);
  const tag = await tagOf("schemas/turn");
  const schema = { kind: "schemas", id: "turn", change: (text: string) => text.replace("Old", "Theirs") };
  const put = await afterAnother("schemas", schema, () =>
    ask(second, "PUT", "schemas/turn", { ...body, title: "Ours" }, { "if-match": tag }),
  );
  assert.equal(put.status, 412, put.text);
  assert.equal((await ask(second, "GET", "schemas/turn")).body.title, "Theirs");

  await ask(first, "PUT", "templates/pages/turn", { template: "Old" });
  const templateTag = await tagOf("templates/pages/turn");
  const template = { kind: "templates", id: "pages/turn", change: () => "Theirs" };
  const saved = await afterAnother("files builder/pages/turn", template, () =>
    ask(second, "PUT", "templates/pages/turn", { template: "Ours" }, { "if-match": templateTag }),
  );
  assert.equal(saved.status, 412, saved.text);
  assert.equal((await ask(second, "GET", "templates/pages/turn")).body.data.template, "Theirs");

  await ask(first, "PUT", "settings/api", { rateLimit: 100_000 });
  const settings = { kind: "settings", id: "settings", change: (text: string) => text.replace("100000", "100001") };
  const set = await afterAnother("settings", settings, () => ask(second, "PUT", "settings/site", { name: "Ours" }));
  assert.equal(set.status, 200, set.text);
  assert.equal((await ask(second, "GET", "settings/api")).body.data.rateLimit, 100_001);
  assert.equal((await ask(first, "GET", "settings/site")).body.data.name, "Ours");
});

test("SCH-47 what is saved through one node is announced once, and by no other node as an edit of a file", async () => {
  for (let n = 0; n < 40; n++) {
    const { status, text } = await ask(first, "POST", "schemas", {
      id: `s${n}`,
      properties: { a: { type: "string" } },
    });
    assert.equal(status, 201, text);
  }
  const { status, body } = await ask(second, "GET", "audit?type=schema.saved&limit=100");
  assert.equal(status, 200);
  const entries = body.data as { schema: string; by?: string }[];
  const saved = entries.filter(({ schema }) => schema.startsWith("s"));
  assert.equal(saved.length, 40);
  assert.deepEqual(
    saved.filter(({ by }) => by === "file"),
    [],
  );
  assert.deepEqual((await ask(second, "GET", "audit?type=schema.deleted")).body.data, []);
});
