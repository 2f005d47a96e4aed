// Two servers behind PgBouncer in transaction mode: every transaction may get another connection of the database server. What one
// server has answered the other one shows at once, and nothing fails because a session is not kept.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
import { type Bouncer, startBouncer } from "../../scripts/pgbouncer.ts";
import { type Answer, cleanEnvironment, launch, repeats, runCairn, type Server, startServer } from "../harness.ts";
import { createDatabase } from "../support/databases.ts";
import { type Bucket, startBucket } from "../support/s3-server.ts";

let bouncer: Bouncer;
let bucket: Bucket;
let direct: string;
let drop: () => Promise<void>;
let first: Server;
let second: Server;
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-pool-"));
  folders.push(folder);
  return folder;
}

const pooled = (more: Record<string, string> = {}) => ({
  CAIRN_DATABASE_URL: bouncer.url(direct),
  CAIRN_DATABASE_DIRECT_URL: direct,
  CAIRN_DATABASE_PREPARE: "false",
  CAIRN_SITE_KEY: "ab".repeat(32),
  CAIRN_FILES: bucket.url,
  ...more,
});

before(async () => {
  bouncer = await startBouncer(process.env.CAIRN_TEST_POSTGRES_URL as string);
  bucket = await startBucket();
  ({ url: direct, drop } = await createDatabase());
});
after(async () => {
  await second?.stop();
  await first?.stop();
  await bouncer.stop();
  await bucket.close();
  await drop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** What a server says that does not start. */
async function refusal(env: Record<string, string>): Promise<string> {
  const whole = cleanEnvironment({ CAIRN_DATA: newFolder(), CAIRN_LOG_LEVEL: "silent", ...env });
  const started = await launch(["serve", "--port", "0"], whole, { isFresh: true }).catch((error: Error) => error);
  if (started instanceof Error) return started.message;
  await started.end("SIGTERM");
  return "";
}

test("STO-113 the start ends with a sentence when a pool drops what durable writes need, until `database:prepare` has set it", async () => {
  const owner = new Client({ connectionString: direct });
  await owner.connect();
  await owner.query(
    "ALTER DATABASE CURRENT_DATABASE SET synchronous_commit = off".replace(
      "CURRENT_DATABASE",
      new URL(direct).pathname.slice(1),
    ),
  );
  assert.match(
    await refusal(pooled()),
    /synchronous_commit = off: writes could be answered and lost\. Run `cairn database:prepare`/,
  );
  const { CAIRN_DATABASE_DIRECT_URL, ...unknown } = pooled();
  assert.match(
    await refusal(unknown),
    /leads to a connection pool: name the server itself in CAIRN_DATABASE_DIRECT_URL/,
  );
  const silent = await startBouncer(process.env.CAIRN_TEST_POSTGRES_URL as string, {
    more: ["ignore_startup_parameters = options"],
  });
  assert.match(
    await refusal({ ...unknown, CAIRN_DATABASE_URL: silent.url(direct) }),
    /CAIRN_DATABASE_URL leads to connections with synchronous_commit = off: .* CAIRN_DATABASE_DIRECT_URL/,
  );
  await silent.stop();
  const prepared = await runCairn(["database:prepare"], {
    env: cleanEnvironment({ CAIRN_DATA: newFolder(), ...pooled() }),
  });
  assert.deepEqual([prepared.code, prepared.stderr], [0, ""]);
  assert.match(prepared.stdout, /^synchronous_commit = on$/m);
  await bouncer.crash();
  await bouncer.resume();
  assert.match(
    await refusal(pooled({ CAIRN_DATABASE_PREPARE: "true" })),
    /does not pass prepared statements on\. Set CAIRN_DATABASE_PREPARE=false/,
  );
  await owner.end();
  first = await startServer({ env: pooled() });
  second = await startServer({ dataDir: newFolder(), env: pooled() });
});

/** With the key of the first: they share the database. */
const ask = (server: Server, method: string, path: string, body?: unknown) =>
  server.request(method, `/api/${path}`, { key: first.key, ...(body !== undefined && { body }) });

/** A busy machine refuses queries of one caller beyond some: that is no stale answer. */
async function whenFree(request: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await request();
    if (answer.status !== 503) return answer;
    await sleep(20);
  }
}

test("STO-114 behind a pool in transaction mode no answer of a second server is older than a write that the first has answered", {
  timeout: repeats(900_000, 7_200_000),
}, async () => {
  await first.makeSchema({
    id: "thing",
    properties: { id: { type: "string" }, title: { type: "string" }, n: { type: "number" } },
    required: ["id"],
    index: ["title", "n"],
  });
  const writers = 8;
  const rounds = repeats(400, 100_000) / 2 / writers;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const collection = `things${writer % 4}`;
      if (writer < 4) await first.makeCollection({ id: collection, schema: "thing" });
      else await until(async () => (await ask(first, "GET", `collections/${collection}`)).status === 200);
      for (let n = 0; n < rounds; n++) {
        const [writing, reading] = n % 2 === 0 ? [first, second] : [second, first];
        const id = `w${writer}-${n % 50}`;
        const change = { id, title: `t${writer}-${n}`, n };
        const isNew = n < 50;
        const path = `collections/${collection}`;
        const written = isNew
          ? await ask(writing, "POST", path, change)
          : await ask(writing, "PATCH", `${path}/${id}`, change);
        assert.equal(written.status, isNew ? 201 : 200, written.text);
        // Kept in the memory of the reading server before the next write comes.
        const got = await whenFree(() => ask(reading, "GET", `${path}/${id}`));
        assert.equal(got.body?.data?.n, n, `stale: ${id} ${got.status} ${got.text}`);
        const listed = await whenFree(() => ask(reading, "GET", `${path}?filter[title]=t${writer}-${n}&fields=n`));
        assert.equal(listed.body?.data?.length, 1, `stale: ${id} ${listed.status} ${listed.text}`);
      }
    }),
  );
});

test("STO-114 imports, exports, deletions, jobs and schema changes work behind a pool in transaction mode", async () => {
  await first.makeCollection({ id: "many", schema: "thing" });
  const rows = Array.from({ length: 1_500 }, (_, n) => ({ id: `r${n}`, title: `row ${n % 7}`, n }));
  const imported = await ask(first, "POST", "import/collections/many/json", rows);
  assert.ok(imported.status < 300, imported.text);
  await until(
    async () => (await ask(second, "GET", "collections/many?limit=1")).headers.get("x-total-count") === "1500",
  );
  const exported = await ask(second, "GET", "export/collections/many/json");
  assert.equal(JSON.parse(exported.text).length, 1_500);
  const schema = {
    id: "thing",
    properties: { id: { type: "string" }, title: { type: "string" }, n: { type: "number" } },
    required: ["id"],
    index: ["title"],
  };
  assert.equal((await ask(second, "PUT", "schemas/thing", schema)).status, 200);
  await until(async () => (await ask(first, "GET", "collections/many?search=row&limit=1")).status === 200);
  assert.equal((await ask(second, "DELETE", "collections/many?confirm=many")).status, 204);
  assert.equal((await ask(first, "GET", "collections/many")).status, 404);
});

test("STO-114 a pool that goes away costs 503 alone, and is used again when it is back", async () => {
  await bouncer.crash();
  const away = await ask(first, "POST", "collections/things0", { id: "away" });
  assert.equal(away.status, 503, away.text);
  assert.equal(away.headers.get("retry-after"), "1");
  await bouncer.resume();
  await until(async () => (await ask(first, "POST", "collections/things0", { id: "back" })).status === 201);
  assert.equal((await ask(second, "GET", "collections/things0/back")).status, 200);
  assert.equal((await ask(second, "GET", "collections/things0/away")).status, 404);
});
