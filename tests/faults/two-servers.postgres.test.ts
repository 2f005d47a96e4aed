// Two servers on one database, one data directory and one bucket, which meet at the worst moment. Moments are made by
// holding rows by a transaction of the test's own, or by keeping the bucket from the second server.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
import { repeats, type Server, startServer } from "../harness.ts";
import { type Gate, openGate } from "../support/gate.ts";
import { type Bucket, startBucket } from "../support/s3-server.ts";
import { fetchBytes, upload } from "../support/sample-files.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { whileSilent } from "./silence.ts";

let bucket: Bucket;
/** What the second server says to the bucket waits while it is shut. */
let gate: Gate;
let first: Server;
let second: Server;
/** Holds rows and tables. */
let database: Client;
/** Sees who waits for them: inside of a transaction the list of connections stays as it was first seen. */
let observer: Client;

before(async () => {
  bucket = await startBucket();
  const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(bucket.url) ?? [];
  gate = await openGate(Number(port));
  first = await startServer({ env: { CAIRN_FILES: bucket.url } });
  const CAIRN_DATABASE_URL = first.env.CAIRN_DATABASE_URL as string;
  const CAIRN_FILES = bucket.url.replace(`:${port}`, `:${gate.port}`);
  const named = `${CAIRN_DATABASE_URL}?application_name=second`;
  second = await startServer({ dataDir: first.dataDir, env: { CAIRN_DATABASE_URL: named, CAIRN_FILES } });
  database = new Client({ connectionString: CAIRN_DATABASE_URL });
  observer = new Client({ connectionString: CAIRN_DATABASE_URL });
  await Promise.all([database.connect(), observer.connect()]);
  await first.makeSchema({
    id: "thing",
    properties: { title: { type: "string" }, doc: { type: "file" } },
    required: [],
    index: ["title"],
  });
});
after(async () => {
  await Promise.all([database?.end(), observer?.end()]);
  gate?.open();
  await second?.stop();
  await first?.stop();
  gate?.close();
  await bucket?.close();
});

// What a test that failed still holds would make the next ones fail.
afterEach(() => database.query("ROLLBACK"));

/** So many statements of requests, or more, wait for a lock: work in the background may wait beside them. Counts are added up often. */
async function someWait(count: number): Promise<void> {
  const waiting = `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
    AND query NOT LIKE '%DELETE FROM counts%'`;
  await until(async () => Number((await observer.query(waiting)).rows[0].n) >= count);
}

/** With the key of the first: they share the database. */
const ask = (server: Server, method: string, path: string, body?: object) =>
  server.request(method, `/api/${path}`, { key: first.key, ...(body && { body }) });

test("DUR-40 a deletion that another server finishes takes nothing of a new collection of the same id", async () => {
  const make = async () => {
    const made = await ask(first, "POST", "collections", { id: "again", schema: "thing" });
    return made.status === 201 && (await ask(first, "POST", "collections/again", { id: "kept" })).status;
  };
  assert.equal(await make(), 201);
  gate.shut();
  const slow = ask(second, "DELETE", "collections/again?confirm=again");
  await until(() => gate.waiting.length > 0);
  // The first server finishes it beside the second one, or waits for it.
  const other = ask(first, "DELETE", "collections/again?confirm=again");
  await Promise.race([other, sleep(300)]);
  const isMade = (await make()) === 201;
  gate.open();
  assert.deepEqual([(await slow).status, (await other).status], [204, 204]);
  if (!isMade) assert.equal(await make(), 201);
  assert.equal((await ask(first, "GET", "collections/again/kept")).status, 200);
});

test("COL-22 of two first writes to a reserved collection both succeed", async () => {
  const settings = JSON.stringify({ id: "text", schema: "text" });
  // As another process does it, whose notice has not come yet: none is sent here.
  await database.query("BEGIN");
  await database.query(
    "INSERT INTO collections (id, settings, last_updated, updated, indexed_rev) VALUES ('text', $1, '', '', '')",
    [settings],
  );
  const written = ask(first, "POST", "collections/text", { id: "second", text: "x" });
  await someWait(1);
  await database.query("COMMIT");
  const { status, text } = await written;
  assert.equal(status, 201, text);
});

test("SCH-47 a schema file that is edited is announced by one of two servers, and a save by the one that saves", async () => {
  const triggers = [{ id: "saved", type: "event", event: "schema.saved" }];
  const handler = "export default async (ctx) => ctx.event.schema";
  const made = await ask(first, "POST", "collections/automations", { id: "listening", handler, triggers });
  assert.equal(made.status, 201, made.text);
  const schema = (id: string) => ({ id, properties: { id: { type: "string" } }, required: ["id"], index: ["id"] });
  const file = (id: string) => join(first.dataDir, ".schemas", `${id}.json`);
  writeFileSync(file("edited"), JSON.stringify(schema("edited")));
  assert.equal((await ask(second, "POST", "schemas", schema("saved"))).status, 201);
  const seen = async () =>
    ((await ask(first, "GET", "automations/listening/runs?limit=100")).body.data as { result: string }[])
      .map(({ result }) => result)
      .sort();
  await until(seen, (names) => names.includes("edited") && names.includes("saved"));
  // Both servers have seen the files before they see this one.
  writeFileSync(file("last"), JSON.stringify(schema("last")));
  const isKnown = async (server: Server) => (await ask(server, "GET", "schemas/last")).status === 200;
  await until(async () => (await isKnown(first)) && (await isKnown(second)));
  await until(seen, (names) => names.includes("last"));
  assert.deepEqual(await seen(), ["edited", "last", "saved"]);
});

test("DUR-41 settings that are saved by two servers, and by a command, at the same moment are all kept", async () => {
  const command = first.cli(["settings:set", "auth.addressLimit", "77"]);
  for (let round = 1; round <= repeats(3, 10); round += 1) {
    const value = 1_000 + round;
    const saved = await Promise.all([
      ask(first, "PUT", "settings/api", { rateLimit: value }),
      ask(second, "PUT", "settings/mcp", { publicIpPerMinute: value }),
      ask(first, "PUT", "settings/files", { maxUploadSize: value * 1_000_000 }),
      ask(second, "PUT", "settings/auth", { loginLimit: value }),
    ]);
    assert.deepEqual(
      saved.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const shown = await Promise.all(
      ["api", "mcp", "files", "auth"].map((section) => ask(first, "GET", `settings/${section}`)),
    );
    const [api, mcp, files, auth] = shown.map(({ body }) => body.data);
    assert.deepEqual(
      [api.rateLimit, mcp.publicIpPerMinute, files.maxUploadSize, auth.loginLimit],
      [value, value, value * 1_000_000, value],
    );
  }
  assert.equal((await command).code, 0);
  assert.equal((await ask(second, "GET", "settings/auth")).body.data.addressLimit, 77);
});

test("DUR-42 of imports on two servers at the same moment one is the last, for files and objects alike", async () => {
  const envelope = (n: number) => ({
    schemas: Array.from({ length: 40 }, (_, at) => ({
      id: `twin-${at}`,
      title: `title ${n}`,
      properties: { a: { type: "string" } },
      index: [],
    })),
    objects: [{ collection: "mailer", id: "mark", data: { name: `title ${n}`, subject: "x", to: "a@example.org" } }],
  });
  for (let round = 1; round <= 2 * repeats(3, 12); round += 2) {
    const done = await Promise.all([
      ask(first, "POST", "sync/import", envelope(round)),
      ask(second, "POST", "sync/import", envelope(round + 1)),
    ]);
    assert.deepEqual(
      done.map(({ status }) => status),
      [200, 200],
    );
    const object = await ask(first, "GET", "collections/mailer/mark");
    const titles = await Promise.all([0, 20, 39].map((at) => ask(first, "GET", `schemas/twin-${at}`)));
    const { name } = object.body.data;
    assert.deepEqual(
      titles.map(({ body }) => body.title),
      [name, name, name],
    );
  }
});

test("DUR-43 a file that one server removes late is not the one that was uploaded to the other meanwhile", async () => {
  await first.makeCollection({ id: "papers", schema: "thing" });
  await ask(first, "POST", "collections/papers", { id: "one" });
  await upload(first, "papers/one/doc", { name: "a.txt", bytes: "old" });
  gate.shut();
  const removing = ask(second, "PATCH", "collections/papers/one", { doc: null });
  await until(() => gate.waiting.length > 0);
  const uploading = upload(first, "papers/one/doc", { name: "a.txt", bytes: "new" });
  await Promise.race([uploading, sleep(300)]);
  gate.open();
  assert.deepEqual([(await removing).status, (await uploading).status], [200, 200]);
  const { status, bytes } = await fetchBytes(first, "/download/papers/one/doc", { key: first.key });
  assert.deepEqual([status, bytes.toString()], [200, "new"]);
});

test("DUR-44 two batches of a mail on two servers at the same moment reach no recipient twice, and a cancelled one none", async () => {
  await ask(first, "PUT", "settings/smtp", { host: "127.0.0.1", port: 1, from: "site@example.org" });
  await first.makeCollection({ id: "people", schema: "thing" });
  const ids = Array.from({ length: 90 }, (_, at) => `p${at}`);
  await Promise.all(ids.map((id) => ask(first, "POST", "collections/people", { id })));
  await ask(first, "POST", "collections/mailer", { id: "news", name: "News", subject: "News", to: "a@example.org" });
  const bulk = { collection: "people", scheduledAt: "2999-01-01T00:00:00Z" };
  const isWritten = async (id: string) => {
    const { rows } = await database.query("SELECT status FROM jobs WHERE kind = 'mail.bulk' AND key = $1", [id]);
    return rows[0]?.status === "succeeded";
  };
  const sent = await Promise.all([first, second].map((server) => ask(server, "POST", "mailer/news/bulk", bulk)));
  const batches = sent.map(({ body }) => body.data.batch as string);
  for (const batch of batches) await until(() => isWritten(batch));
  const { rows } = await database.query("SELECT object_id FROM mails WHERE mailer = 'news' AND status = 'queued'");
  assert.equal(rows.length, 90);

  // Cancelled while it is being written: its mails wait for the table.
  await database.query("BEGIN; LOCK TABLE mails IN SHARE ROW EXCLUSIVE MODE");
  const again = await ask(first, "POST", "mailer/news/bulk", { ...bulk, resend: true });
  const { batch } = again.body.data;
  await someWait(1);
  const cancelling = ask(second, "DELETE", `mailer/batches/${batch}`);
  await someWait(2);
  await database.query("COMMIT");
  assert.equal((await cancelling).status, 200);
  await until(() => isWritten(batch));
  const left = await database.query("SELECT id FROM mails WHERE batch = $1 AND status = 'queued'", [batch]);
  assert.equal(left.rows.length, 0);
});

test("DUR-45 a view that is deleted while another server builds it leaves no result behind", async () => {
  const definition = "export default async () => ({ a: 1 })";
  await ask(first, "POST", "collections/dataviews", { id: "gone", name: "Gone", definition });
  const results = async () => (await database.query("SELECT id FROM view_results WHERE id = 'gone'")).rows.length;
  assert.equal((await ask(first, "POST", "dataviews/gone/rebuild")).status, 200);
  await until(
    async () =>
      (await database.query("SELECT id FROM jobs WHERE kind = 'view.build' AND finished IS NULL")).rows.length === 0,
  );
  await database.query("BEGIN; SELECT id FROM view_results WHERE id = 'gone' FOR UPDATE");
  const deleting = ask(first, "DELETE", "collections/dataviews/gone");
  await someWait(1);
  const building = ask(second, "POST", "dataviews/gone/rebuild");
  await someWait(2);
  await database.query("COMMIT");
  assert.deepEqual([(await deleting).status, (await building).status], [204, 404]);
  assert.equal(await results(), 0);
});

test("DUR-46 a schema that is deleted while another server makes a collection of it stays, or the collection is refused", async () => {
  await first.makeSchema({ id: "wanted", properties: { a: { type: "string" } }, required: [], index: [] });
  await database.query("BEGIN; LOCK TABLE collections IN SHARE MODE");
  const making = ask(first, "POST", "collections", { id: "wanting", schema: "wanted" });
  await someWait(1);
  const deleting = ask(second, "DELETE", "schemas/wanted");
  await Promise.race([deleting, sleep(300)]);
  await database.query("COMMIT");
  // On a busy machine the deletion may come first.
  const isMade = (await making).status === 201;
  assert.deepEqual([(await making).status, (await deleting).status], isMade ? [201, 400] : [400, 204]);
  assert.equal((await ask(second, "GET", "collections/wanting")).status, isMade ? 200 : 404);
  assert.equal((await ask(first, "GET", "schemas/wanted")).status, isMade ? 200 : 404);
});

test("DUR-48 a schema that another server deletes while a child of it is saved is gone before, or stays", async () => {
  const inherited = { type: "string" };
  await first.makeSchema({ id: "elder", properties: { inherited }, required: [], index: [] });
  // The deletion has seen that nobody inherits, and waits to see who uses it.
  await database.query("BEGIN; LOCK TABLE collections IN ACCESS EXCLUSIVE MODE");
  const deleting = ask(second, "DELETE", "schemas/elder");
  const held = `SELECT 1 FROM holds, pg_stat_activity WHERE holds.id LIKE '%schemas%' AND wait_event_type = 'Lock'
    AND application_name = 'second' AND datname = current_database()`;
  await until(async () => (await observer.query(held)).rowCount);
  const saving = ask(first, "POST", "schemas", { id: "younger", inheritFrom: ["elder"], properties: {} });
  await Promise.race([saving, sleep(300)]);
  await database.query("COMMIT");
  const { status, body } = await saving;
  assert.equal(status, 201);
  assert.equal((await deleting).status, "inherited" in body.properties ? 400 : 204);
});

test("DUR-28 SITE-3 a sitemap that one server switches off is off at the other as soon as that is answered", async () => {
  await first.makeCollection({ id: "listed", schema: "thing", url: "/listed", sitemap: { enabled: true } });
  await ask(first, "POST", "collections/listed", { id: "one", title: "One" });
  const map = async () => (await second.request("GET", "/sitemap/listed", { key: null })).status;
  const index = async () => (await second.request("GET", "/sitemap", { key: null })).text.includes("/sitemap/listed");
  // The second time from memory.
  for (let at = 0; at < 2; at += 1) assert.deepEqual([await map(), await index()], [200, true]);
  // Asked for in the silence, and answered after it.
  const asked = await whileSilent(first.env.CAIRN_DATABASE_URL as string, "second", async () => {
    const off = await ask(first, "PATCH", "collections/listed/settings", { sitemap: { enabled: false } });
    assert.equal(off.status, 200, off.text);
    const answers = Promise.all([map(), index()]);
    // Whoever answers from memory has done so by then.
    await Promise.race([answers, sleep(300)]);
    return { answers };
  });
  assert.deepEqual(await asked.answers, [404, false]);
});

test("ATM-48 a webhook that one server switches off is gone at the other as soon as that is answered", async () => {
  const handler = "export default () => 1";
  const record = { id: "bell", handler, triggers: [{ id: "t", type: "webhook", sync: true }] };
  assert.equal((await ask(first, "POST", "collections/automations", record)).status, 201);
  const ring = async () => (await second.request("POST", "/automations/bell", { key: null })).status;
  assert.equal(await ring(), 200);
  const asked = await whileSilent(first.env.CAIRN_DATABASE_URL as string, "second", async () => {
    const off = await ask(first, "PATCH", "collections/automations/bell", { enabled: false });
    assert.equal(off.status, 200, off.text);
    const rung = ring();
    await Promise.race([rung, sleep(300)]);
    return { rung };
  });
  assert.equal(await asked.rung, 404);
  await ask(first, "DELETE", "collections/automations/bell");
});

test("ADM-76 users that have an object open at one server are seen at the other", async () => {
  await first.makeCollection({ id: "watched", schema: "text" });
  await ask(first, "POST", "collections/watched", { id: "a", text: "x" });
  for (const id of ["ann", "bob"]) await makeUser(first, id, ["editor"]);
  const [ann, bob] = await Promise.all([signIn(first, "ann"), signIn(second, "bob")]);
  const put = (who: Person) => who.request("PUT", "/api/presence/watched/a", { body: { editing: true } });
  await put(ann);
  const { others } = (await put(bob)).body.data;
  assert.deepEqual([others.length, others[0].id, others[0].editing], [1, "ann", true]);
});

test("SET-6 a setting that one server saves holds at the other with the next request", async () => {
  const shown = async () => (await ask(second, "GET", "settings/mcp")).body.data.publicIpPerMinute;
  await ask(first, "PUT", "settings/mcp", { publicIpPerMinute: 4_321 });
  assert.equal(await shown(), 4_321);
  const asked = await whileSilent(first.env.CAIRN_DATABASE_URL as string, "second", async () => {
    const saved = await ask(first, "PUT", "settings/mcp", { publicIpPerMinute: 1_234 });
    assert.equal(saved.status, 200, saved.text);
    const answer = shown();
    await Promise.race([answer, sleep(300)]);
    return { answer };
  });
  assert.equal(await asked.answer, 1_234);
});

test("ATM-30 ATM-31 runs that fail at the same moment report the first, and do not undo a fix made meanwhile", async () => {
  const alarm = { id: "alarm", name: "Alarm", to: "a@example.org", subject: "x", bodyText: "x" };
  assert.equal((await ask(first, "POST", "collections/mailer", alarm)).status, 201);
  const handler = "export default () => { throw new Error('no') }";
  const triggers = [{ id: "t", type: "webhook", sync: true }];
  const record = { id: "ill", handler, triggers, errorMailerId: "alarm" };
  assert.equal((await ask(first, "POST", "collections/automations", record)).status, 201);
  const run = () => first.request("POST", "/automations/ill", { key: null });
  const mails = async () => (await database.query("SELECT id FROM mails WHERE mailer = 'alarm'")).rows.length;
  // Another one has ended just after the first, before anybody looked.
  await database.query(`INSERT INTO jobs (id, kind, subject, payload, status, attempts, max_attempts, run_at, created,
    started, finished) VALUES ('later', 'automation', 'ill', '{}', 'failed', 1, 1, '', '', '2999', '2999')`);
  assert.equal((await run()).status, 500);
  assert.equal(await mails(), 1);
  for (let at = 0; at < 2; at += 1) await run();
  // Somebody saves the record while the fifth is counted.
  await database.query("BEGIN");
  await database.query("UPDATE objects SET modified = '2998' WHERE collection = 'automations' AND id = 'ill'");
  const fifth = run();
  await someWait(1);
  await database.query("COMMIT");
  assert.equal((await fifth).status, 500);
  const { body } = await ask(first, "GET", "collections/automations/ill");
  assert.deepEqual([body.data.enabled, await mails()], [true, 1]);
  await ask(first, "DELETE", "collections/automations/ill");
});

test("UND-16 the plans of a caller are counted over all servers", async () => {
  await ask(first, "POST", "collections", { id: "undone", schema: "thing", history: "full" });
  await ask(first, "POST", "collections/undone", { id: "one", title: "x" });
  const { body } = await ask(first, "GET", "history/undone/one");
  const plan = (server: Server) => ask(server, "POST", "undo", { by: { writer: body.data[0].by.writer } });
  await database.query("BEGIN");
  await database.query("LOCK TABLE changes IN ACCESS EXCLUSIVE MODE");
  const started = [plan(first), plan(second)];
  await someWait(2);
  for (const server of [first, second]) {
    const { status, headers } = await plan(server);
    assert.deepEqual([status, headers.has("retry-after")], [429, true]);
  }
  // Long plans go on to count: their leases are renewed before they end.
  const plans = "holds WHERE id LIKE 'undo-plan:%'";
  const { rows } = await observer.query(`SELECT min(lease_until) AS until, count(*)::int AS count FROM ${plans}`);
  assert.equal(rows[0].count, 2);
  await until(async () => {
    const later = await observer.query(`SELECT 1 FROM ${plans} AND lease_until > $1`, [rows[0].until]);
    return later.rows.length === 2;
  });
  for (const server of [first, second]) assert.equal((await plan(server)).status, 429);
  await database.query("COMMIT");
  for (const { status, text } of await Promise.all(started)) assert.equal(status, 200, text);
  assert.equal((await plan(second)).status, 200);
  assert.equal((await observer.query(`SELECT 1 FROM ${plans}`)).rows.length, 0);
});
