// Nodes with data directories of their own on one database and one bucket: definitions are one, and files are their mirror.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { becomes, until } from "#base/patience.fixture.ts";
import { cleanEnvironment, runCairn, type Server, startServer } from "../harness.ts";
import { type Bucket, startBucket } from "../support/s3-server.ts";
import { makeUser } from "../support/sign-in.ts";

const folders: string[] = [];
let bucket: Bucket;
let first: Server;
let second: Server;

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-node-"));
  folders.push(folder);
  return folder;
};
const inside = (server: Server, ...path: string[]) => join(server.dataDir, ...path);
const schemaFile = (server: Server, id: string, ending = "") => inside(server, ".schemas", `${id}.json${ending}`);
const schema = (id: string, title: string, more: object = {}) => ({
  id,
  title,
  properties: { id: { type: "string" }, ...more },
  required: ["id"],
  index: ["id"],
});
/** Another node on the database of the first. */
const startNode = (dataDir = newFolder()) => {
  const { CAIRN_DATABASE_URL = "", CAIRN_FILES = "" } = first.env;
  const CAIRN_SITE_KEY_FILE = inside(first, ".system", "site.key");
  return startServer({ dataDir, env: { CAIRN_DATABASE_URL, CAIRN_FILES, CAIRN_SITE_KEY_FILE } });
};
const ask = (server: Server, method: string, path: string, body?: unknown) =>
  server.request(method, `/api/${path}`, { key: first.key, ...(body !== undefined && { body }) });
const expect = async (status: number, asked: ReturnType<typeof ask>) => {
  const answer = await asked;
  assert.equal(answer.status, status, answer.text);
  return answer;
};
const titleOn = async (server: Server, id: string) => (await ask(server, "GET", `schemas/${id}`)).body.title;
const textOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

before(async () => {
  bucket = await startBucket();
  first = await startServer({ env: { CAIRN_FILES: bucket.url } });
  second = await startNode();
});
after(async () => {
  await second.stop();
  await first.stop();
  await bucket.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test("NOD-3 what is saved through one node counts on the other as soon as it is answered", async () => {
  await expect(201, ask(first, "POST", "schemas", schema("turns", "0")));
  await expect(201, ask(second, "POST", "collections", { id: "turns", schema: "turns" }));
  for (let turn = 1; turn <= 12; turn += 1) {
    const [here, there] = turn % 2 === 0 ? [first, second] : [second, first];
    const body = schema("turns", `${turn}`, { [`p${turn}`]: { type: "string", default: `d${turn}` } });
    await expect(200, ask(here, "PUT", "schemas/turns", body));
    assert.equal(await titleOn(there, "turns"), `${turn}`);
    const made = await expect(201, ask(there, "POST", "collections/turns", { id: `o${turn}` }));
    assert.equal(made.body.data[`p${turn}`], `d${turn}`);
    const template = `turn ${turn}`;
    await ask(here, "PUT", "templates/pages/turn", { template });
    assert.equal((await ask(there, "GET", "templates/pages/turn")).body.data?.template, template);
    await expect(200, ask(here, "PUT", "settings/api", { rateLimit: 100_000 + turn }));
    assert.equal((await ask(there, "GET", "settings/api")).body.data.rateLimit, 100_000 + turn);
  }
  await ask(first, "PUT", "templates/pages/switched", { template: "{% layout none %}on" });
  const page = { id: "switched", route: "/switched", title: "Switched", template: "switched" };
  await expect(201, ask(first, "POST", "collections/builder-pages", page));
  const seen = async (server: Server) => (await server.request("GET", "/switched", { key: null })).status;
  for (const [here, there] of [
    [first, second],
    [second, first],
  ] as const)
    for (const isOn of [false, true]) {
      await expect(200, ask(here, "PUT", "settings/site", { enabled: isOn }));
      assert.equal(await seen(there), isOn ? 200 : 404);
    }
  const versions = (await ask(second, "GET", "template-history/pages/turn")).body;
  assert.deepEqual(versions, (await ask(first, "GET", "template-history/pages/turn")).body);
  await expect(204, ask(second, "DELETE", "templates/pages/turn"));
  await expect(404, ask(first, "GET", "templates/pages/turn"));
  await expect(201, ask(first, "POST", "schemas", schema("gone", "Gone")));
  await expect(204, ask(second, "DELETE", "schemas/gone"));
  await expect(404, ask(first, "GET", "schemas/gone"));
  await until(() => !existsSync(schemaFile(first, "gone")));
});

test("NOD-3 a setting counts on the other node for callers without a credential too", async () => {
  for (let round = 0; round < 20; round += 1) {
    const enabled = round % 2 === 1;
    await expect(200, ask(first, "PUT", "settings/oauth", { enabled }));
    const answer = await second.request("GET", "/.well-known/oauth-authorization-server", { key: null });
    assert.equal(answer.status === 404, !enabled, `round ${round}: ${answer.status}`);
  }
});

test("NOD-3 which scripts may write, and how often anonymous callers may ask, is as another node has just set it", async () => {
  const origin = "https://front.example";
  for (let round = 0; round < 20; round += 1) {
    const isListed = round % 2 === 0;
    await expect(200, ask(first, "PUT", "settings/cors", { origins: isListed ? [origin] : [] }));
    const sent = await second.request("PATCH", "/api/collections/auth/none", { headers: { origin }, body: {} });
    const allowed = sent.headers.get("access-control-allow-origin");
    assert.equal(allowed, isListed ? origin : null, `round ${round}: ${sent.status}`);
    await expect(200, ask(first, "PUT", "settings/api", { rateLimit: 100_000 + round }));
    const limit = (await second.request("GET", "/api/collections", { key: null })).headers.get("x-ratelimit-limit");
    assert.equal(limit, `${100_000 + round}`);
  }
});

test("NOD-3 registration is open, and needs a verified address, as another node has just set it", async () => {
  const settle = (requireEmailVerification: boolean) =>
    expect(200, ask(first, "PATCH", "collections/auth/settings", { requireEmailVerification }));
  const open = (isOpen: boolean) =>
    expect(200, ask(first, "PUT", "settings/auth", { publicRegistration: isOpen ? ["auth"] : [] }));
  await makeUser(first, "holder", ["admin"]);
  for (let round = 0; round < 18; round += 1) {
    const isOpen = round % 2 === 1;
    const isVerified = round % 4 === 1;
    await settle(isVerified);
    await open(isOpen);
    const body = { email: `new-${round}@example.test`, password: "long-enough-for-all-1" };
    const answer = await second.request("POST", "/api/auth/register", { key: null, body });
    const given = [answer.status, answer.body.meta?.requiresVerification ?? false];
    assert.deepEqual(given, isOpen ? [201, isVerified] : [403, false], `round ${round}: ${answer.text}`);
  }
  await settle(false);
  await open(false);
});

test("NOD-8 a node with another site key, or none, is refused in one sentence", async () => {
  const { CAIRN_DATABASE_URL = "" } = first.env;
  const start = (more: Record<string, string>) =>
    runCairn(["serve", "--port", "0"], {
      env: cleanEnvironment({ CAIRN_DATA: newFolder(), CAIRN_DATABASE_URL, ...more }),
    });
  const cases: [Record<string, string>, RegExp][] = [
    [{}, /^cairn: The site has a site key, and this node has none\. .*CAIRN_SITE_KEY.*\n$/],
    [{ CAIRN_SITE_KEY: "ab".repeat(32) }, /^cairn: The site has another site key than this node\. .*\n$/],
    [{ CAIRN_SITE_KEY: "short" }, /^cairn: CAIRN_SITE_KEY must be 32 bytes, .*\n$/],
    [{ CAIRN_SITE_KEY_FILE: "/nowhere" }, /^cairn: CAIRN_SITE_KEY_FILE: \/nowhere cannot be read\.\n$/],
  ];
  for (const [more, sentence] of cases) {
    const { code, stderr } = await start(more);
    assert.equal(code, 1);
    assert.match(stderr, sentence);
  }
});

test("NOD-9 the signing key is in the database, encrypted, and new ones count on every node", async () => {
  const keyOf = async (server: Server) => (await ask(server, "GET", "oauth-keys")).body.data.kid;
  const made = await expect(200, ask(second, "POST", "oauth-keys", {}));
  assert.equal(await keyOf(first), made.body.data.kid);
  const again = await expect(200, ask(first, "POST", "oauth-keys", { force: true }));
  assert.notEqual(again.body.data.kid, made.body.data.kid);
  assert.equal(await keyOf(second), again.body.data.kid);
  for (const server of [first, second])
    assert.ok(!existsSync(inside(server, ".system", "oauth-keys", "private.key")), "no file on the node");
  const client = new Client({ connectionString: first.env.CAIRN_DATABASE_URL });
  await client.connect();
  const { rows } = await client.query("SELECT content FROM definitions WHERE kind IN ('oauth-keys', 'site-key')");
  await client.end();
  assert.match(rows.map(({ content }) => content).join(" "), /enc:v1:/);
  assert.doesNotMatch(JSON.stringify(rows), /PRIVATE/);
  const key = readFileSync(inside(first, ".system", "site.key"));
  for (const form of ["hex", "base64", "base64url"] as const)
    assert.ok(!JSON.stringify(rows).includes(key.toString(form)), form);
});

test("NOD-2 NOD-3 a node with an empty data directory has all definitions, as files too", async () => {
  await expect(201, ask(first, "POST", "schemas", schema("early", "Early")));
  await ask(first, "PUT", "templates/mail/hello", { template: "Hello" });
  await ask(first, "PUT", "templates/mail/hello", { template: "Hello there" });
  await expect(200, ask(first, "PUT", "settings/sync", { url: "https://elsewhere.test/api" }));
  const third = await startNode();
  try {
    assert.equal(await titleOn(third, "early"), "Early");
    const files = [".schemas/early.json", "builder/mail/hello.liquid", ".system/settings.json"];
    for (const file of files) assert.equal(textOf(inside(third, file)), textOf(inside(first, file)), file);
    assert.equal((await ask(third, "GET", "settings/sync")).body.data.url, "https://elsewhere.test/api");
    const list = await ask(third, "GET", "templates");
    assert.deepEqual(list.body, (await ask(first, "GET", "templates")).body);
    assert.equal((await ask(third, "GET", "template-history/mail/hello")).body.data.length, 1);
  } finally {
    await third.stop();
  }
});

test("NOD-4 an edited file is checked, stored and mirrored; a refused one is put back and kept", async () => {
  await expect(201, ask(first, "POST", "schemas", schema("edited", "One")));
  writeFileSync(schemaFile(second, "edited"), JSON.stringify(schema("edited", "Two")));
  assert.ok(await until(async () => (await titleOn(first, "edited")) === "Two"));
  await becomes(() => textOf(schemaFile(first, "edited")), JSON.stringify(schema("edited", "Two")));
  mkdirSync(inside(second, "builder", "pages"), { recursive: true });
  writeFileSync(inside(second, "builder", "pages", "by-hand.liquid"), "by hand");
  const onFirst = () => ask(first, "GET", "templates/pages/by-hand");
  assert.ok(await until(async () => (await onFirst()).body.data?.template === "by hand"));

  const bad = JSON.stringify(schema("edited", "Three", { bad: { type: "number", multipleOf: 0 } }));
  writeFileSync(schemaFile(second, "edited"), bad);
  assert.ok(await until(() => textOf(schemaFile(second, "edited", ".rejected")) === bad));
  assert.ok(await until(() => textOf(schemaFile(second, "edited")) === textOf(schemaFile(first, "edited"))));
  assert.equal(await titleOn(second, "edited"), "Two");
  assert.ok(await until(() => /schemas\/edited.*multipleOf.*refused/.test(second.stderr)));
  const lint = await second.cli(["schema:lint", "edited", "--json"]);
  assert.match(lint.stdout, /edited\.json\.rejected/);
});

test("NOD-4 an edit is found soon, also after one that took long to store", async () => {
  await expect(201, ask(first, "POST", "schemas", schema("soon", "One")));
  assert.equal(await titleOn(second, "soon"), "One");
  const database = new Client({ connectionString: first.env.CAIRN_DATABASE_URL });
  await database.connect();
  try {
    await database.query("BEGIN; LOCK TABLE definitions IN SHARE ROW EXCLUSIVE MODE");
    writeFileSync(schemaFile(second, "soon"), JSON.stringify(schema("soon", "Two")));
    const waiting = "SELECT 1 FROM pg_locks WHERE relation = 'definitions'::regclass AND NOT granted";
    await until(async () => (await database.query(waiting)).rows.length > 0);
    await sleep(1_500);
    await database.query("COMMIT");
  } finally {
    await database.end();
  }
  assert.ok(await until(async () => (await titleOn(first, "soon")) === "Two"));
  writeFileSync(schemaFile(second, "soon"), JSON.stringify(schema("soon", "Three")));
  assert.ok(await until(async () => (await titleOn(first, "soon")) === "Three"));
});

test("NOD-5 a definition file that is gone is put back", async () => {
  await expect(201, ask(first, "POST", "schemas", schema("lasting", "Lasting")));
  const text = textOf(schemaFile(first, "lasting"));
  rmSync(inside(second, ".schemas"), { recursive: true });
  assert.ok(await until(() => textOf(schemaFile(second, "lasting")) === text));
  assert.equal(await titleOn(second, "lasting"), "Lasting");
});

test("NOD-6 of an edit and a change elsewhere the database wins, and the edit is kept", async () => {
  await expect(201, ask(first, "POST", "schemas", schema("both", "One")));
  assert.equal(await titleOn(second, "both"), "One");
  await second.terminate();
  const edit = JSON.stringify(schema("both", "Edited"));
  writeFileSync(schemaFile(second, "both"), edit);
  await expect(200, ask(first, "PUT", "schemas/both", schema("both", "Saved")));
  await second.restart();
  assert.equal(await titleOn(second, "both"), "Saved");
  assert.equal(textOf(schemaFile(second, "both", ".conflict")), edit);
  await until(() => textOf(schemaFile(second, "both")) === textOf(schemaFile(first, "both")));
  await until(() => /both\.json.*\.conflict/.test(second.stderr));
  const lint = await second.cli(["schema:lint", "both", "--json"]);
  assert.match(lint.stdout, /both\.json\.conflict/);
});

test("NOD-20 what was deleted while a node was stopped stays deleted; edits of it are kept beside", async () => {
  await expect(201, ask(first, "POST", "schemas", schema("away", "Away")));
  await expect(201, ask(first, "POST", "schemas", schema("away-edited", "Away")));
  const template = { template: "away" };
  await ask(first, "PUT", "templates/pages/away", template);
  await expect(200, ask(second, "GET", "templates/pages/away"));
  const file = inside(second, "builder", "pages", "away.liquid");
  assert.ok(await until(() => existsSync(file) && existsSync(schemaFile(second, "away-edited"))));
  await second.terminate();
  const edit = JSON.stringify(schema("away-edited", "Edited"));
  writeFileSync(schemaFile(second, "away-edited"), edit);
  const gone = ["schemas/away", "schemas/away-edited", "templates/pages/away"];
  for (const path of gone) await expect(204, ask(first, "DELETE", path));
  await second.restart();
  // A look at the files ends before the next change that is made by one.
  writeFileSync(inside(second, "builder", "pages", "later.liquid"), "later");
  assert.ok(await until(async () => (await ask(first, "GET", "templates/pages/later")).status === 200));
  for (const server of [first, second]) for (const path of gone) await expect(404, ask(server, "GET", path));
  assert.deepEqual([existsSync(file), existsSync(schemaFile(second, "away"))], [false, false]);
  assert.equal(existsSync(schemaFile(second, "away-edited")), false);
  assert.equal(textOf(schemaFile(second, "away-edited", ".conflict")), edit);
  assert.equal(existsSync(schemaFile(second, "away", ".conflict")), false);
  assert.match(second.stderr, /away-edited\.json.*\.conflict/);
});

test("NOD-7 NOD-20 the last definition stays deleted too, and another database does not lose or take files", async () => {
  const alone = await startServer({ env: { CAIRN_FILES: bucket.url } });
  const { CAIRN_DATABASE_URL = "" } = alone.env;
  const dataDir = newFolder();
  const joined = (database: string) => {
    const CAIRN_SITE_KEY_FILE = inside(database === CAIRN_DATABASE_URL ? alone : first, ".system", "site.key");
    const env = { CAIRN_DATABASE_URL: database, CAIRN_FILES: bucket.url, CAIRN_SITE_KEY_FILE };
    return startServer({ dataDir, env });
  };
  const listed = async () => {
    const client = new Client({ connectionString: CAIRN_DATABASE_URL });
    await client.connect();
    const { rows } = await client.query("SELECT id FROM definitions WHERE kind = 'schemas'");
    await client.end();
    return rows.map(({ id }) => id);
  };
  const file = join(dataDir, ".schemas", "last.json");
  const last = (server: Server) => server.request("GET", "/api/schemas/last").then(({ status }) => status);
  try {
    assert.deepEqual(await listed(), []);
    assert.equal((await alone.request("POST", "/api/schemas", { body: schema("last", "Last") })).status, 201);
    const joins = await joined(CAIRN_DATABASE_URL);
    assert.equal(await last(joins), 200);
    assert.ok(existsSync(file));
    await joins.stop();
    const elsewhere = await joined(first.env.CAIRN_DATABASE_URL ?? "");
    await expect(404, ask(elsewhere, "GET", "schemas/last"));
    assert.match((await elsewhere.cli(["definitions:status"])).stdout, /Not in the database: schemas\/last/);
    assert.ok(existsSync(file));
    await elsewhere.stop();
    // As a version before left it, which noted the hashes alone.
    const marks = join(dataDir, ".system", "mirror.json");
    const noted = { ...JSON.parse(readFileSync(marks, "utf8")), database: undefined, left: [] };
    writeFileSync(marks, JSON.stringify({ ...noted, marks: { ...noted.marks, "schemas/last": "x" } }));
    const updated = await joined(first.env.CAIRN_DATABASE_URL ?? "");
    assert.ok(existsSync(file), "nothing tells that it was deleted in this database");
    assert.match((await updated.cli(["definitions:status"])).stdout, /Not in the database: schemas\/last/);
    await updated.stop();
    const back = await joined(CAIRN_DATABASE_URL);
    assert.equal(await last(back), 200);
    await back.stop();
    assert.equal((await alone.request("DELETE", "/api/schemas/last")).status, 204);
    assert.deepEqual(await listed(), []);
    const again = await joined(CAIRN_DATABASE_URL);
    assert.deepEqual([await last(again), await last(alone), existsSync(file)], [404, 404, false]);
    await again.stop();
  } finally {
    await alone.stop();
  }
});

test("NOD-7 files that a new node brings wait for an import", async () => {
  const dataDir = newFolder();
  mkdirSync(join(dataDir, ".schemas"));
  writeFileSync(join(dataDir, ".schemas", "brought.json"), JSON.stringify(schema("brought", "Brought")));
  writeFileSync(join(dataDir, ".schemas", "turns.json"), JSON.stringify(schema("turns", "Older")));
  for (const id of ["removed", "refused"])
    writeFileSync(join(dataDir, ".schemas", `${id}.json`), JSON.stringify({ id, properties: "none" }));
  const third = await startNode(dataDir);
  try {
    await expect(404, ask(third, "GET", "schemas/brought"));
    assert.notEqual(await titleOn(third, "turns"), "Older");
    await third.restart();
    await expect(404, ask(first, "GET", "schemas/brought"));
    assert.match((await third.cli(["definitions:status"])).stdout, /Not in the database: schemas\/brought/);
    assert.match((await third.cli(["definitions:import", "--dry-run"])).stdout, /Would be imported: schemas\/brought/);
    rmSync(schemaFile(third, "removed"));
    const imported = await third.cli(["definitions:import"]);
    assert.match(imported.stdout, /Imported: schemas\/brought\n/);
    assert.match(imported.stdout + imported.stderr, /schemas\/refused/);
    assert.doesNotMatch((await third.cli(["definitions:status"])).stdout, /Not in the database/);
    assert.equal(await titleOn(first, "brought"), "Brought");
    assert.match((await third.cli(["definitions:import"])).stdout, /has all definitions/);
  } finally {
    await third.stop();
  }
});

test("NOD-10 deploy brings a checkout into the site, once, for all nodes", async () => {
  const checkout = newFolder();
  const put = (path: string, content: unknown) => {
    const file = join(checkout, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  };
  put("schemas/released.json", schema("released", "Released"));
  put("collections/releases.json", { id: "releases", schema: "released" });
  put("builder/pages/released.liquid", "released");
  put("settings.json", { site: { sharedMaxAge: 77 } });
  const lines = [
    "+ schema released",
    "+ collection releases",
    "+ template pages/released",
    "~ setting site.sharedMaxAge",
  ];
  const plan = await second.cli(["deploy", checkout, "--dry-run"]);
  assert.equal(plan.code, 0, plan.stderr);
  for (const line of lines) assert.ok(plan.stdout.includes(line), plan.stdout);
  await expect(404, ask(first, "GET", "schemas/released"));
  const done = await second.cli(["deploy", checkout]);
  assert.equal(done.code, 0, done.stderr);
  for (const line of lines) assert.ok(done.stdout.includes(line), done.stdout);
  assert.equal(await titleOn(first, "released"), "Released");
  await expect(201, ask(first, "POST", "collections/releases", { id: "one" }));
  assert.equal((await ask(first, "GET", "templates/pages/released")).body.data.template, "released");
  assert.equal((await ask(first, "GET", "settings/site")).body.data.sharedMaxAge, 77);
  assert.match((await second.cli(["deploy", checkout])).stdout, /Definitions: 0 changed, 3 are the same/);
  // What the machine of the release has in its environment says nothing about the site.
  put("settings.json", { log: { level: "warn" }, site: { stale: null } });
  const elsewhere = await runCairn(["deploy", checkout], { env: { ...second.env, CAIRN_LOG_LEVEL: "warn" } });
  assert.match(elsewhere.stdout, /~ setting log.level\nDefinitions: 1 changed, 3 are the same/);
  assert.equal((await ask(first, "GET", "settings/log")).body.data.level, "warn");
  put("schemas/released.json", schema("released", "Bad", { bad: { type: "number", multipleOf: 0 } }));
  put("builder/pages/released.liquid", "changed");
  const refused = await second.cli(["deploy", checkout]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /released/);
  assert.equal((await ask(first, "GET", "templates/pages/released")).body.data.template, "released");
});

test("START-30 NOD-10 commands work in an empty data directory, such as deploy on a machine that is no node", async () => {
  const checkout = newFolder();
  mkdirSync(join(checkout, "schemas"));
  writeFileSync(join(checkout, "schemas", "brought.json"), JSON.stringify(schema("brought", "Brought")));
  await expect(200, ask(first, "PUT", "settings/site", { name: "Of the nodes" }));
  const { CAIRN_DATABASE_URL = "", CAIRN_FILES = "", CAIRN_SITE_KEY_FILE = "" } = second.env;
  const places = { CAIRN_DATABASE_URL, CAIRN_FILES, CAIRN_SITE_KEY_FILE };
  const run = (args: string[], CAIRN_DATA = join(newFolder(), "empty")) =>
    runCairn(args, { env: cleanEnvironment({ ...places, CAIRN_DATA }) });
  assert.equal((await run(["settings:get", "site.name"])).stdout, "Of the nodes\n");
  const done = await run(["deploy", checkout]);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await titleOn(first, "brought"), "Brought");
  await expect(204, ask(first, "DELETE", "schemas/brought"));
});

test("AUD-14 every node shows the logs of all nodes, as soon as a change is answered", async () => {
  interface Entry {
    id: string;
    type: string;
    group?: string;
  }
  const list = async (server: Server, query = ""): Promise<Entry[]> =>
    (await expect(200, ask(server, "GET", `audit?type=group.saved${query}`))).body.data;
  const groups = Array.from({ length: 6 }, (_, at) => `crew${at}`);
  for (const [at, id] of groups.entries()) {
    const [here, there] = at % 2 === 0 ? [first, second] : [second, first];
    await expect(201, ask(here, "PUT", `access-groups/${id}`, { permissions: {} }));
    assert.equal((await list(there, "&limit=1"))[0]?.group, id);
  }
  const newestFirst = groups.toReversed();
  for (const server of [first, second]) {
    const all = await list(server);
    assert.deepEqual(all.map(({ group }) => group).slice(0, 6), newestFirst);
    const later = await list(server, `&after=${all[3]?.id}`);
    assert.deepEqual(later, all.slice(0, 3));
    const page = await ask(server, "GET", "audit?type=group.saved&limit=2");
    const next = await list(server, `&limit=2&cursor=${page.headers.get("x-next-cursor")}`);
    assert.deepEqual(next, all.slice(2, 4));
  }
  // A new node, and commands on it, find them too.
  const third = await startNode();
  try {
    assert.deepEqual((await list(third)).map(({ group }) => group).slice(0, 6), newestFirst);
    const listed = await third.cli(["audit:list", "--type", "group.saved", "--limit", "6", "--json"]);
    assert.deepEqual(
      (JSON.parse(listed.stdout) as Entry[]).map(({ group }) => group),
      groups,
    );
  } finally {
    await third.stop();
  }
});
