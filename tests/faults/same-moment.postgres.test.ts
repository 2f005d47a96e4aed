// Two servers on one database, and requests that meet at the worst moment. Moments are made by holding rows by a transaction
// of the test's own, or by keeping the database from saying anything to the second server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../harness.ts";
import { logIn, makeUser, password, signIn, signInAlone } from "../support/sign-in.ts";
import { whileSilent } from "./silence.ts";

let first: Server;
let second: Server;
/** Holds rows. */
let database: Client;
/** Sees who waits for them: inside of a transaction the list of connections stays as it was first seen. */
let observer: Client;

before(async () => {
  // What is queued waits: nothing but the requests of the tests meets.
  const settings = {
    auth: { publicRegistration: ["auth"] },
    automations: { queueLimit: 1 },
    jobs: { runInServer: false },
  };
  first = await startServer({ settings });
  const url = first.env.CAIRN_DATABASE_URL as string;
  const named = `${url}?application_name=second`;
  second = await startServer({ dataDir: first.dataDir, env: { CAIRN_DATABASE_URL: named } });
  database = new Client({ connectionString: url });
  observer = new Client({ connectionString: url });
  await Promise.all([database.connect(), observer.connect()]);
  const properties = { title: { type: "string" } };
  for (const id of ["thing", "other"]) await first.makeSchema({ id, properties, required: [], index: ["title"] });
  await first.makeCollection({ id: "things", schema: "thing" });
  for (const id of ["a", "b", "z"]) await ask("POST", "collections/things", { id, title: "before" });
});
after(async () => {
  await Promise.all([database?.end(), observer?.end()]);
  await second?.stop();
  await first?.stop();
});

const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  first.request(method, `/api/${path}`, { headers, ...(body && { body }) });

/** So many statements, or more, wait for a lock. */
async function someWait(count: number): Promise<void> {
  const waiting = `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await until(async () => Number((await observer.query(waiting)).rows[0].n) >= count);
}

/** An answer that comes while others wait. */
async function soon(answer: Promise<Answer>): Promise<Answer> {
  let found: Answer | undefined;
  void answer.then((got) => {
    found = got;
  });
  return (await until(() => found)) as Answer;
}

/** From now on whoever adds a row to the table waits, until it is released. */
async function hold(table: "account_tokens" | "jobs"): Promise<() => Promise<void>> {
  await database.query(`CREATE FUNCTION hold_row() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NEW; END $$`);
  await database.query(`CREATE TRIGGER hold_row BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION hold_row()`);
  await database.query("BEGIN");
  await database.query("SELECT pg_advisory_xact_lock(77)");
  return async () => {
    await database.query("COMMIT");
    await database.query(`DROP TRIGGER hold_row ON ${table}; DROP FUNCTION hold_row`);
  };
}

test("MAIL-6 PKEY-3 of two challenges that are asked for at the same moment one is good", async () => {
  await makeUser(first, "ada");
  const ada = await signInAlone(first, "ada");
  const release = await hold("account_tokens");
  const proof = { body: { currentPassword: password } };
  const both = [1, 2].map(() => ada.request("POST", "/api/passkeys/register/options", proof));
  await someWait(2);
  await release();
  assert.deepEqual(
    (await Promise.all(both)).map(({ status }) => status),
    [200, 200],
  );
  const { rows } = await database.query("SELECT hash FROM account_tokens WHERE user_id = 'ada'");
  assert.equal(rows.length, 1);
});

test("REG-11 concurrent registrations of an address replace each other", async () => {
  await ask("PATCH", "collections/auth/settings", { requireEmailVerification: true });
  const register = (name: string) =>
    first.request("POST", "/api/auth/register", { key: null, body: { email: "one@example.test", password, name } });
  const release = await hold("account_tokens");
  const early = register("Early");
  await someWait(1);
  const late = register("Late");
  // It waits for the first one, or has been answered.
  await Promise.race([someWait(2), late]);
  await release();
  assert.deepEqual([(await early).status, (await late).status], [201, 201]);
  const { rows } = await database.query(
    "SELECT doc FROM objects WHERE collection = 'auth' AND doc LIKE '%one@example%'",
  );
  assert.deepEqual(
    rows.map(({ doc }) => JSON.parse(doc).name),
    ["Late"],
  );
});

test("DUR-28 a user created again at one server signs in at the other as soon as that is answered", async () => {
  await makeUser(first, "pat");
  const pat = await signIn(second, "pat");
  // Remembered from now on.
  assert.equal((await pat.request("GET", "/api/auth/session")).status, 200);
  const login = await whileSilent(first.env.CAIRN_DATABASE_URL as string, "second", async () => {
    assert.equal((await ask("DELETE", "collections/auth/pat")).status, 204);
    await makeUser(first, "pat");
    const answer = logIn(second, { login: "pat", password });
    // Whoever goes by what is remembered has done so by then.
    await Promise.race([answer, sleep(300)]);
    return { answer };
  });
  assert.equal((await login.answer).status, 200);
});

test("JOB-13 a failed job that is tried again while one of its key is queued is refused", async () => {
  const insert = `INSERT INTO jobs (id, kind, key, subject, payload, status, attempts, max_attempts, run_at, created, finished)
    VALUES ($1, 'view.build', 'k', 'k', '{"view":"k"}', $2, 0, 4, '2999', '', $3)`;
  await database.query(insert, ["failed-before", "failed", "2999"]);
  await database.query("BEGIN");
  await database.query(insert, ["queued-now", "queued", null]);
  const retried = ask("POST", "jobs/failed-before/retry");
  await someWait(1);
  await database.query("COMMIT");
  const { status, text } = await retried;
  assert.equal(status, 400, text);
  await database.query("DELETE FROM jobs WHERE key = 'k'");
});

test("ATM-15 of calls at the same moment as many are queued as may wait, and each of them once", async () => {
  const triggers = [{ id: "t", type: "webhook", auth: "none" }];
  const made = await ask("POST", "collections/automations", {
    id: "full",
    handler: "export default () => 1",
    triggers,
  });
  assert.equal(made.status, 201, made.text);
  const release = await hold("jobs");
  const calls = [1, 2].map(() => first.request("POST", "/automations/full", { key: null }));
  await someWait(2);
  await release();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [202, 429]);
});

test("DUR-51 writers that bring about the same rebuild of a view wait for each other in one order", async () => {
  const definition = "export default async () => ({})";
  const view = { id: "of-things", name: "Of things", definition, dependencies: ["things"] };
  assert.equal((await ask("POST", "collections/dataviews", view)).status, 201);
  await database.query("DELETE FROM jobs");
  const release = await hold("jobs");
  const patching = ask("PATCH", "collections/things/z", { title: "patched" });
  await someWait(1);
  const making = ask("POST", "collections/things", { title: "made" });
  await someWait(2);
  const queuing = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
    AND query LIKE '%INSERT INTO jobs%'`;
  const { rowCount } = await observer.query(queuing);
  await release();
  assert.deepEqual([(await patching).status, (await making).status], [200, 201]);
  // Both wait for the rows of jobs alone: neither for a lock of the other.
  assert.equal(rowCount, 2);
  await ask("DELETE", "collections/dataviews/of-things");
});

test("WHK-11 a write with a webhook is stored also when the webhook is deleted at that moment", async () => {
  const hook = { name: "Gone", url: "http://127.0.0.1:1/hook", events: ["object.updated"] };
  const made = await ask("POST", "webhooks", hook);
  assert.equal(made.status, 201, made.text);
  // Known from now on.
  assert.equal((await ask("PATCH", "collections/things/z", { title: "told" })).status, 200);
  await database.query("BEGIN");
  await database.query("DELETE FROM webhooks WHERE id = $1", [made.body.data.id]);
  const writing = ask("PATCH", "collections/things/z", { title: "stored" });
  await someWait(1);
  await database.query("COMMIT");
  const { status, text } = await writing;
  assert.equal(status, 200, text);
});

test("COL-28 If-Match uses the stored settings, also before the notice of the last change", async () => {
  assert.equal((await ask("GET", "collections/things")).status, 200);
  const settings = JSON.stringify({ id: "things", schema: "thing", name: "Changed" });
  await database.query("UPDATE collections SET settings = $1 WHERE id = 'things'", [settings]);
  const shown = await ask("GET", "collections/things/settings");
  const tag = shown.headers.get("etag") as string;
  const saved = await ask("PATCH", "collections/things/settings", { description: "x" }, { "if-match": tag });
  assert.equal(saved.status, 200, saved.text);
  assert.equal(saved.body.data.name, "Changed");
});

test("DUR-49 an import that waits for an object does not block writes to others", async () => {
  const mail = { subject: "x", to: "a@example.test" };
  for (const id of ["a", "b", "z"]) await ask("POST", "collections/mailer", { id, name: id, ...mail });
  const objects = ["a", "b"].map((id) => ({ collection: "mailer", id, data: { name: "imported", ...mail } }));
  const rows = ["a", "b"].map((id) => ({ id, title: "imported" }));
  for (const [collection, path, body] of [
    ["mailer", "sync/import", { objects }],
    ["things", "import/collections/things/json?update=true", rows],
  ] as const) {
    await database.query(`BEGIN; SELECT id FROM objects WHERE collection = '${collection}' AND id = 'b' FOR UPDATE`);
    const importing = ask("POST", path, body);
    await someWait(1);
    const beside = await soon(ask("PATCH", `collections/${collection}/z`, { name: "z", title: "z" }));
    await database.query("COMMIT");
    assert.equal(beside.status, 200, beside.text);
    const { status, text } = await importing;
    assert.equal(status, 200, text);
    assert.match((await ask("GET", `collections/${collection}/b`)).text, /imported/);
  }
});

test("DUR-50 a schema is saved while the indexes of an import of definitions are made", async () => {
  const schema = { id: "thing", properties: { title: { type: "string" }, more: { type: "string" } }, index: ["more"] };
  await database.query("BEGIN; SELECT id FROM objects WHERE collection = 'things' AND id = 'a' FOR UPDATE");
  const importing = ask("POST", "sync/import", { schemas: [schema] });
  await someWait(1);
  const properties = { title: { type: "string" }, lately: { type: "string" } };
  const saved = await soon(ask("PUT", "schemas/other", { id: "other", properties, required: [], index: [] }));
  await database.query("COMMIT");
  assert.equal(saved.status, 200, saved.text);
  assert.equal((await importing).status, 200);
});

test("USER-6 of two administrators who are deleted at the same moment through two servers one stays", async () => {
  const bosses = ["boss1", "boss2"];
  for (const id of bosses) await makeUser(first, id, ["admin"]);
  const remove = (server: Server, id = "") =>
    server.request("DELETE", `/api/collections/auth/${id}`, { key: first.key });
  // Each has begun, and cannot be counted yet.
  await database.query("BEGIN; LOCK TABLE counts IN SHARE ROW EXCLUSIVE MODE");
  const deleting = [remove(first, bosses[0]), remove(second, bosses[1])];
  await someWait(2);
  await database.query("COMMIT");
  const statuses = (await Promise.all(deleting)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [204, 400]);
});
