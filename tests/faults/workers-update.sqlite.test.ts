// Several processes on one embedded database are replaced by newer ones under load: the one that writes too. The newer code is
// the installation that the server runs from, with two migrations more.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { repeats, type Server, send, startServer } from "../harness.ts";
import { makeInstallation } from "../support/own-installation.ts";
import { beginLoad } from "./load.ts";

let installation: string;
let server: Server;
const workers = () =>
  readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim().split(" ").map(Number);

/** On a connection of its own: one that stays open would keep the worker that has it. */
async function make(path: string, body: object): Promise<void> {
  const headers = { "x-api-key": server.key, connection: "close" };
  const { status, text } = await send(undefined, server.url, "POST", path, { body, headers });
  assert.equal(status, 201, text);
}

function applied(): string[] {
  const database = new DatabaseSync(join(server.dataDir, ".system", "cairn.db"), { readOnly: true });
  const rows = database.prepare("SELECT name FROM migrations WHERE name LIKE '999%' ORDER BY name").all();
  database.close();
  return rows.map(({ name }) => String(name));
}

async function replaceAll(): Promise<void> {
  const old = workers();
  process.kill(server.pid, "SIGUSR2");
  await until(() => workers().length === old.length && !workers().some((pid) => old.includes(pid)));
}

before(async () => {
  installation = makeInstallation();
  server = await startServer({
    ...{ installation, args: ["--workers", "2"] },
    env: { CAIRN_ADMIN_BUILD: "false", NODE_COMPILE_CACHE: join(installation, "cache") },
  });
  const properties = { title: { type: "string" } };
  await make("/api/schemas", { id: "thing", properties, required: [], index: ["title"] });
  await make("/api/collections", { id: "things", schema: "thing" });
  await make("/api/collections/things", { id: "first", title: "First" });
});
after(async () => {
  await server.stop();
  rmSync(installation, { recursive: true, force: true });
});

const rounds = repeats(2, 10);
test(`START-42 WRK-11 SIGUSR2 under load replaces the writer and all readers, ${rounds} times, and no request fails`, async (t) => {
  const migrations = join(installation, "src/storage/migrations");
  writeFileSync(join(migrations, "9998-adds.sqlite.sql"), "CREATE TABLE added (n INTEGER);");
  writeFileSync(join(migrations, "9999-removes.contract.sqlite.sql"), "DROP TABLE added;");
  const load = beginLoad(() => server, 8);
  t.after(load.stop);
  for (let round = 0; round < rounds; round += 1) {
    const enough = load.answers.length + repeats(200, 5_000);
    await until(() => load.answers.length > enough);
    await replaceAll();
    assert.deepEqual(applied(), ["9998-adds"]);
  }
  await load.stop();
  assert.deepEqual(load.failures, []);
  assert.deepEqual([...new Set(load.answers)].sort(), [200, 201]);
});

test("WRK-12 what a migration removes waits for the next start of the server", async () => {
  await server.restart();
  assert.deepEqual(applied(), ["9998-adds", "9999-removes.contract"]);
});

test("START-42 WRK-11 when the new code cannot start, the old writer stays", async () => {
  const old = workers();
  writeFileSync(join(installation, "src/serve.ts"), "throw new Error('broken on purpose');\n");
  process.kill(server.pid, "SIGUSR2");
  await until(() => /a new worker ended before it was ready: the old ones stay/.test(server.stderr + server.stdout));
  assert.deepEqual(workers(), old);
  await make("/api/collections/things", { id: "after", title: "After" });
});
