// Whole backups: taken while the server works, checked, put back into empty places, on either engine.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cleanEnvironment, engine, repeats, type Server, startServer } from "../harness.ts";
import { createDatabase } from "../support/databases.ts";
import { testOnce } from "../support/test-once.ts";
import { cairn, canSignIn, fillSite, look, type Seen, visit } from "./site.ts";

let server: Server;
let seen: Seen[];
const folder = mkdtempSync(join(tmpdir(), "cairn-backup-"));
const file = join(folder, "site.zip");

before(async () => {
  server = await startServer();
  await fillSite(server);
  seen = await look(server.url, server.key);
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** An empty place of its own. */
async function emptyPlace(name: string): Promise<{ env: Record<string, string>; drop(): Promise<void> }> {
  const database = engine === "postgres" ? await createDatabase() : undefined;
  const data = { CAIRN_DATA: join(folder, name), CAIRN_LOG_LEVEL: "warn" };
  const env = cleanEnvironment({ ...data, ...(database && { CAIRN_DATABASE_URL: database.url }) });
  return { env, drop: async () => database?.drop() };
}

test("BAK-1 BAK-5 a backup is one file, for its owner, that appears when it is whole", async () => {
  const made = await server.cli(["backup:create", file, "--json"]);
  assert.equal(made.code, 0, made.stderr);
  const report = JSON.parse(made.stdout);
  assert.deepEqual([report.objects, report.files], [120, 2]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const again = await server.cli(["backup:create", file]);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /--force/);
  const text = await server.cli(["backup:create", file, "--force"]);
  assert.match(text.stderr, /every secret/);
  const nowhere = await server.cli(["backup:create", join(folder, "none", "site.zip")]);
  assert.deepEqual([nowhere.code, nowhere.stdout], [1, ""]);
});

test("BAK-10 a whole backup is found whole", async () => {
  const verified = await server.cli(["backup:verify", file, "--json"]);
  assert.equal(verified.code, 0, verified.stderr);
  const { isWhole, objects, files, problems } = JSON.parse(verified.stdout);
  assert.deepEqual([isWhole, objects, files, problems], [true, 120, 2, []]);
  assert.match((await server.cli(["backup:verify", file])).stdout, /is complete: 120 objects and 2 files/);
});

test("BAK-20 BAK-4 the restored site gives the same answers", async () => {
  const { env, drop } = await emptyPlace("restored");
  const restored = await cairn(env, "backup:restore-all", file, "--json");
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual([JSON.parse(restored.stdout).objects, JSON.parse(restored.stdout).files], [120, 2]);
  await visit(env, async ({ url }) => {
    assert.deepEqual(await look(url, server.key), seen);
    assert.ok(await canSignIn(url));
    const headers = { "x-api-key": server.key, "content-type": "application/json" };
    const made = await fetch(`${url}/api/collections/tales`, { method: "POST", headers, body: '{"title":"After"}' });
    assert.equal(made.status, 201, await made.text());
  });
  assert.equal(statSync(join(env.CAIRN_DATA as string, ".system", "site.key")).mode & 0o777, 0o600);
  const settings = JSON.parse((await cairn(env, "settings:get", "smtp", "--json")).stdout);
  assert.equal(settings.host, "mail.example.test");

  const refused = await cairn(env, "backup:restore-all", file);
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /There is a site here already/);
  await drop();
});

test("BAK-22 with force nothing of the old site stays", async () => {
  const { env, drop } = await emptyPlace("forced");
  await cairn(env, "key:create", "--name", "old");
  await cairn(env, "collection:create", "old", "--schema", "blog");
  const made = await cairn(env, "object:create", "old", "--data-json", '{"title":"Old"}');
  assert.equal(made.code, 0, made.stderr);
  const restored = await cairn(env, "backup:restore-all", file, "--force");
  assert.equal(restored.code, 0, restored.stderr);
  await visit(env, async ({ url }) => assert.deepEqual(await look(url, server.key), seen));
  await drop();
});

test("BAK-2 a backup under writes is of one moment, and readers and writers go on", async () => {
  await server.makeCollection({ id: "pairs", schema: "tale" });
  let isDone = false;
  let written = 0;
  const writing = (async () => {
    for (; !isDone; written += 1) {
      const row = (side: string) => ({ id: `${side}-${written}`, title: `${side} ${written}`, pages: written });
      // Both rows of an import are one transaction.
      const { status } = await server.request("POST", "/api/import/collections/pairs/json", {
        body: [row("a"), row("b")],
      });
      assert.equal(status, 200);
    }
  })();
  const busy = join(folder, "busy.zip");
  const made = await server.cli(["backup:create", busy]);
  isDone = true;
  await writing;
  assert.equal(made.code, 0, made.stderr);
  assert.ok(written > 0);
  const { env, drop } = await emptyPlace("busy");
  assert.equal((await cairn(env, "backup:restore-all", busy)).code, 0);
  const list = JSON.parse(
    (await cairn(env, "collection:query", "pairs", "--limit", "100", "--sort", "pages", "--json")).stdout,
  );
  const { totalObjects } = JSON.parse((await cairn(env, "collection:get", "pairs", "--json")).stdout);
  assert.equal(list.total % 2, 0);
  assert.equal(totalObjects, list.total);
  await drop();
});

/** Where the bytes of the parts lie, which are not empty. */
function packedParts(zip: Buffer): [start: number, end: number][] {
  const parts: [number, number][] = [];
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const [nameLength, moreLength] = [zip.readUInt16LE(at + 26), zip.readUInt16LE(at + 28)];
    const start = at + 30 + nameLength + moreLength;
    // Behind the name: the kind and length of what follows, then both sizes in 64 bits.
    at = start + Number(zip.readBigUInt64LE(at + 30 + nameLength + 12));
    if (at > start) parts.push([start, at]);
  }
  return parts;
}

testOnce("BAK-10 BAK-11 BAK-21 a damaged, cut or foreign file is reported, and never restored (F20)", async () => {
  const bytes = readFileSync(file);
  const bad = join(folder, "bad.zip");
  const { env, drop } = await emptyPlace("never");
  const cases: [name: string, content: Buffer][] = [
    ["cut", bytes.subarray(0, Math.floor(bytes.length / 2))],
    ["empty", Buffer.alloc(0)],
    ["foreign", Buffer.from("not a zip at all, but long enough to be read as one".repeat(10))],
  ];
  const parts = packedParts(bytes);
  const flips = repeats(3, 12);
  for (let at = 1; at <= flips; at += 1) {
    const flipped = Buffer.from(bytes);
    const wanted = Math.floor((bytes.length * at) / (flips + 1));
    // The format's own words hold times and the like, which nothing depends on.
    const part = parts.find(([, end]) => wanted < end);
    const place = part ? Math.max(part[0], wanted) : (parts.at(-1)?.[0] as number);
    flipped[place] = (flipped[place] as number) ^ 0xff;
    cases.push([`flipped at ${place}`, flipped]);
  }
  for (const [name, content] of cases) {
    writeFileSync(bad, content);
    const verified = await server.cli(["backup:verify", bad]);
    assert.equal(verified.code, 1, `${name}: ${verified.stdout}`);
    assert.match(verified.stderr, /damaged|cut off|not a backup|missing|not in the manifest/, name);
    assert.equal(/\n\s+at /.test(verified.stderr), false, name);
  }
  const restored = await cairn(env, "backup:restore-all", bad);
  assert.equal(restored.code, 1);
  assert.match((await cairn(env, "info")).stderr, /^cairn: .*There is no site in /);
  assert.equal(existsSync(env.CAIRN_DATA as string), false);
  assert.equal((await server.cli(["backup:verify", join(folder, "none.zip")])).code, 1);
  await drop();
});

test("BAK-26 the receiving installation keeps its own database and files", async () => {
  const settings = join(server.dataDir, ".system", "settings.json");
  const stored = readFileSync(settings, "utf8");
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(stored), trap: 1, filesUrl: "" }));
  const trapped = join(folder, "trapped.zip");
  const made = await server.cli(["backup:create", trapped]);
  writeFileSync(settings, stored);
  assert.equal(made.code, 0, made.stderr);
  const { env, drop } = await emptyPlace("trapped");
  assert.equal((await cairn(env, "backup:restore-all", trapped)).code, 0);
  const restored = JSON.parse(readFileSync(join(env.CAIRN_DATA as string, ".system", "settings.json"), "utf8"));
  assert.deepEqual(["filesUrl" in restored, "databaseUrl" in restored, restored.trap], [false, false, 1]);
  await drop();
});
