// Servers of two versions on one database, during an update: the newer one is this code with another version number, a migration
// that adds and one that removes, and shorter times.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
import { type Launched, launch, repeats, type Server, startServer } from "../harness.ts";
import { type Proxy as Balancer, startProxy } from "../support/nodes.ts";
import { makeInstallation } from "../support/own-installation.ts";

const newVersion = "99.0.0";
/** In the newer version. The older one says every ten seconds that it is there. */
const quietMs = 25_000;
/** Between the requests of a client: what is tried is that none fails, not how many there are. */
const pauseMs = repeats(150, 20);
let installation: string;
let old: Server;
let database: Client;
let proxy: Balancer;

before(async () => {
  installation = makeInstallation();
  const change = (file: string, from: string, to: string) => {
    const path = join(installation, file);
    const text = readFileSync(path, "utf8");
    assert.ok(text.includes(from), `${file} has no ${from}`);
    writeFileSync(path, text.replace(from, to));
  };
  const { version } = JSON.parse(readFileSync(join(installation, "package.json"), "utf8"));
  change("package.json", `"version": "${version}"`, `"version": "${newVersion}"`);
  change("src/jobs/nodes.ts", "beatMs = 10_000", "beatMs = 500");
  change("src/jobs/nodes.ts", "quietMs = 60_000", `quietMs = ${quietMs}`);
  const migrations = join(installation, "src/storage/migrations");
  writeFileSync(join(migrations, "9998-adds.postgres.sql"), "CREATE TABLE added (n INTEGER);");
  writeFileSync(join(migrations, "9999-removes.contract.postgres.sql"), "DROP TABLE added;");
  old = await startServer({ isFresh: true });
  database = new Client({ connectionString: old.env.CAIRN_DATABASE_URL });
  await database.connect();
  proxy = await startProxy();
});
after(async () => {
  proxy.close();
  await database.end();
  await old.stop();
  rmSync(installation, { recursive: true, force: true });
});

const applied = async () =>
  (await database.query<{ name: string }>("SELECT name FROM migrations WHERE name LIKE '999%' ORDER BY name")).rows.map(
    ({ name }) => name,
  );
const listNodes = async (): Promise<{ version: string; isThere: boolean }[]> =>
  JSON.parse((await old.cli(["nodes:list", "--json"])).stdout);

test("NOD-11 NOD-12 during an update no request fails, and what removes something waits for the last old server", async () => {
  await old.makeSchema({
    id: "thing",
    properties: { id: { type: "string" }, n: { type: "number" } },
    required: ["id"],
  });
  await old.makeCollection({ id: "things", schema: "thing" });
  proxy.lead([old.url]);
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const clients = Array.from({ length: 4 }, async (_, client) => {
    const headers = { "x-api-key": old.key, "content-type": "application/json" };
    for (let n = 0; !isOver; n++) {
      const body = JSON.stringify({ id: `c${client}-${n}`, n });
      const made = await fetch(`${proxy.url}/api/collections/things`, { method: "POST", headers, body });
      await made.arrayBuffer();
      const got = await fetch(`${proxy.url}/api/collections/things/c${client}-${n}`, { headers });
      await got.arrayBuffer();
      if (made.status !== 201 || got.status !== 200) failed.push(`${made.status} ${got.status}`);
      answered += 2;
      await sleep(pauseMs);
    }
  });
  const settled = Promise.all(clients);
  const newer: Launched = await launch(["serve", "--port", "0"], old.env, { installation });
  try {
    proxy.lead([old.url, newer.url]);
    assert.deepEqual(await applied(), ["9998-adds"]);
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    const both = await listNodes();
    assert.deepEqual(both.map((node) => node.version).sort(), [version, newVersion].sort());
    assert.ok(both.every(({ isThere }) => isThere));
    await sleep(quietMs + 3_000);
    assert.deepEqual(await applied(), ["9998-adds"]);
    proxy.lead([newer.url]);
    // Requests that are on their way are answered.
    await old.terminate();
    await until(async () => (await applied()).length === 2);
    assert.deepEqual(
      (await listNodes().catch(() => [])).map((node) => node.version),
      [],
      "commands of the older version refuse the database",
    );
    isOver = true;
    await settled;
    assert.deepEqual(failed, []);
    assert.ok(answered > 100, `${answered} requests`);
    const listed = await database.query("SELECT version FROM nodes");
    assert.deepEqual(listed.rows, [{ version: newVersion }]);
    await assert.rejects(
      launch(["serve", "--port", "0"], old.env, { isFresh: true }),
      /A newer version of Cairn has removed from the database what this one needs \(9999-removes\.contract\): update Cairn\./,
    );
  } finally {
    isOver = true;
    await newer.end("SIGTERM");
  }
  assert.deepEqual((await database.query("SELECT version FROM nodes")).rows, []);
  await database.query("DELETE FROM migrations WHERE name LIKE '999%'");
});

test("NOD-13 a server that was passed over by a newer version says so at /readyz", async () => {
  await old.restart();
  assert.equal((await old.request("GET", "/readyz")).status, 200);
  await database.query("INSERT INTO migrations (name, applied) VALUES ('9999-removes.contract', '')");
  await until(async () => (await old.request("GET", "/readyz")).status === 503);
  assert.equal((await old.request("GET", "/readyz")).body.status, "outdated");
  await database.query("DELETE FROM migrations WHERE name LIKE '999%'");
});
