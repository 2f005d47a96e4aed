// The database server crashes and comes back, stands still, or is lost on the way, under writers. It has a cluster of its
// own, which only this file disturbs, behind a gate that can swallow what passes.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { amongOthers, until } from "#base/patience.fixture.ts";
import { type Cluster, startCluster } from "../../scripts/postgres.ts";
import { repeats, type Server, startServer } from "../harness.ts";
import { compare, openJournal, schema, writeUntilStopped } from "./writers.ts";

const publicDir = mkdtempSync(join(tmpdir(), "cairn-public-"));
let cluster: Cluster;
let gate: Awaited<ReturnType<typeof openGate>>;
let server: Server;

/** Passes connections on. What was open when it was shut, and what is opened then, is never heard of again. */
async function openGate(port: number) {
  let isShut = false;
  const sockets = new Set<Socket>();
  const door = createServer((socket) => {
    const onward = connect(port, "127.0.0.1");
    for (const one of [socket, onward]) {
      sockets.add(one);
      one.on("error", () => one.destroy()).on("close", () => sockets.delete(one));
    }
    if (isShut) return;
    socket.pipe(onward).pipe(socket);
    socket.on("close", () => onward.destroy());
    onward.on("close", () => socket.destroy());
  });
  await new Promise<void>((done) => door.listen(0, "127.0.0.1", done));
  return {
    port: (door.address() as { port: number }).port,
    shut() {
      isShut = true;
      for (const socket of sockets) socket.unpipe().removeAllListeners("data").resume();
    },
    open() {
      isShut = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      door.close();
    },
  };
}

before(async () => {
  cluster = await startCluster();
  const url = new URL(cluster.url);
  gate = await openGate(Number(url.port));
  url.port = String(gate.port);
  writeFileSync(join(publicDir, "hello.txt"), "hello");
  server = await startServer({ env: { CAIRN_DATABASE_URL: url.href }, settings: { publicDir } });
  await server.makeSchema(schema);
  for (const id of ["north", "south"]) await server.makeCollection({ id, schema: schema.id });
});
after(async () => {
  cluster?.thaw();
  await server?.stop();
  gate?.close();
  await cluster?.stop();
  rmSync(publicDir, { recursive: true, force: true });
});

const list = () => server.request("GET", "/api/collections/north?limit=1");
/** Of all tests: they write to one collection. */
const journal = openJournal();
const isWriting = (since: number) => until(() => journal.acked > since + 5);

const crashes = repeats(2, 5);
test(`DUR-15 ${crashes} crashes of the database under four writers lose and double nothing (F22)`, async () => {
  for (let round = 1; round <= crashes; round += 1) {
    journal.isStopped = false;
    const writers = Array.from({ length: 4 }, () => writeUntilStopped(server, journal, ["north"]));
    await isWriting(journal.acked);
    await cluster.crash();
    await cluster.resume();
    const back = performance.now();
    let answer = await list();
    while (answer.status !== 200 && performance.now() - back < amongOthers(5_000)) {
      assert.equal(answer.status, 503, answer.text);
      await sleep(50);
      answer = await list();
    }
    assert.equal(answer.status, 200, `not back within five seconds of restart ${round}: ${answer.text}`);
    await isWriting(journal.acked);
    journal.isStopped = true;
    await Promise.all(writers);
    assert.deepEqual(await compare(server, journal, ["north"]), [], `after restart ${round}`);
  }
});

test("DUR-15 while the database is away, reads and writes answer 503 within five seconds (F22)", async () => {
  await cluster.crash();
  try {
    for (const [method, path, body] of [
      ["GET", "/api/collections/north", undefined],
      ["POST", "/api/collections/north", { id: "away", title: "x" }],
    ] as const) {
      const started = performance.now();
      const answer = await server.request(method, path, { body });
      assert.equal(answer.status, 503, answer.text);
      assert.equal(answer.body.error.code, 503);
      assert.equal(answer.headers.get("retry-after"), "1");
      assert.ok(performance.now() - started < amongOthers(5_000));
    }
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const accept = "application/json, text/event-stream";
    const { status, headers, body } = await server.request("POST", "/mcp", { body: call, headers: { accept } });
    assert.deepEqual([status, headers.get("retry-after"), body.jsonrpc], [503, "1", "2.0"]);
    // Many more than an address without a key has in a minute.
    const statuses = new Set<number>();
    for (let round = 0; round < 35; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, list));
      for (const { status } of answers) statuses.add(status);
    }
    assert.deepEqual([...statuses], [503]);
    const origin = "https://front.example";
    for (const [path, text] of [
      ["/hello.txt", /^hello$/],
      ["/healthz", /"ok"/],
      // Built or not, it is a page.
      ["/admin", /^<!doctype html>/],
    ] as const) {
      const answer = await server.request("GET", path, { key: null, headers: { origin } });
      assert.match(answer.text, text);
      assert.equal(answer.headers.get("access-control-allow-origin"), "*", path);
    }
  } finally {
    await cluster.resume();
  }
  await until(list, ({ status }) => status === 200);
  assert.equal((await server.request("GET", "/api/collections/north/away")).status, 404);
});

/** What the database knows of the server's connections. */
async function connections(): Promise<{ all: number; openWork: number }> {
  const client = new Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT count(*)::int AS all, (count(*) FILTER (WHERE state LIKE 'idle in transaction%'))::int AS "openWork"
     FROM pg_stat_activity WHERE application_name = 'cairn'`,
  );
  await client.end();
  return rows[0];
}

/** Sixteen for statements, four for long work, one to listen. */
const mostConnections = 21;

for (const [how, stop, goOn] of [
  ["stands still", () => cluster.freeze(), () => cluster.thaw()],
  ["is lost on the way", () => gate.shut(), () => gate.open()],
] as const) {
  test(`DUR-47 DUR-52 STO-57 a database that ${how} costs a 503 in time, and nothing else (F22)`, async () => {
    server.env.CAIRN_DATABASE_TIMEOUT = "PT1S";
    const isUp = () => server.restart().then(() => true);
    // On a busy machine the limit may be over before the server is up.
    await until(() => isUp().catch(() => false));
    journal.isStopped = false;
    const writers = Array.from({ length: 4 }, () => writeUntilStopped(server, journal, ["north"]));
    await isWriting(journal.acked);
    stop();
    try {
      const timed = async (method: string, path: string, body?: object) => {
        const started = performance.now();
        const { status, headers } = await server.request(method, path, { body });
        return { status, retryAfter: headers.get("retry-after"), ms: performance.now() - started };
      };
      const [ready, ...answers] = await Promise.all([
        timed("GET", "/readyz"),
        timed("GET", "/api/collections/north?limit=2"),
        timed("GET", "/api/collections/north/query?search=marker"),
        timed("POST", "/api/collections/south", { title: "x" }),
        // None waits for the failures of others.
        ...Array.from({ length: 20 }, () => timed("GET", "/api/collections/north?limit=2")),
      ]);
      assert.equal(ready.status, 503);
      for (const { status, retryAfter } of answers) assert.deepEqual([status, retryAfter], [503, "1"]);
      // The second of the setting, and at most six for a connection and for what others have written.
      for (const { ms } of [ready, ...answers]) assert.ok(ms < amongOthers(7_000), `${ms} ms`);
      assert.equal((await server.request("GET", "/healthz", { key: null })).status, 200);
    } catch (error) {
      journal.isStopped = true;
      throw error;
    } finally {
      goOn();
    }
    await until(list, ({ status }) => status === 200);
    await until(
      () => server.request("GET", "/readyz", { key: null }),
      ({ status }) => status === 200,
    );
    await isWriting(journal.acked);
    journal.isStopped = true;
    await Promise.all(writers);
    // Connections that were given up end when the database notices; of those lost on the way it never hears.
    if (how === "stands still") {
      await until(connections, ({ all, openWork }) => all <= mostConnections && openWork === 0);
      // Nor does it keep the server from its end.
      stop();
      try {
        assert.equal(await server.terminate(), 0);
      } finally {
        goOn();
      }
    }
    delete server.env.CAIRN_DATABASE_TIMEOUT;
    await server.restart();
    assert.deepEqual(await compare(server, journal, ["north"]), []);
  });
}

test("DUR-12 SIGTERM while the database hangs and a request waits for it ends within ten seconds (F22)", async () => {
  cluster.freeze();
  try {
    const body = { id: "held", title: "x" };
    const answer = server.request("POST", "/api/collections/north", { body }).catch(() => undefined);
    // Nobody can tell when it has come as far as the database.
    await sleep(300);
    const started = performance.now();
    assert.equal(await server.terminate(), 0);
    assert.ok(performance.now() - started < amongOthers(10_000));
    await answer;
  } finally {
    cluster.thaw();
  }
  await server.restart();
});
