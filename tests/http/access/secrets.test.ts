// Whoever gets a copy of the data directory, the database or the log finds no key, password, session or link in it.

import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
import { engine, type Server, startServer } from "../../harness.ts";
import { contentsOf } from "../../support/sample-files.ts";
import { logIn, makeUser, password, signIn } from "../../support/sign-in.ts";
import { type Mailbox, openMailbox, tokenIn } from "../../support/smtp-server.ts";

let mailbox: Mailbox;
let server: Server;
before(async () => {
  mailbox = await openMailbox();
  server = await startServer({ env: { CAIRN_LOG_LEVEL: "trace" }, settings: { smtp: mailbox.smtp } });
  await makeUser(server, "root", ["admin"]);
});
after(async () => {
  await server.stop();
  await mailbox.close();
});

/** All bytes at rest: every file of the data directory, and every row of a database that lies elsewhere. */
async function atRest(): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>([["log", Buffer.from(server.stderr)]]);
  for (const [path, bytes] of contentsOf(server.dataDir)) found.set(path, bytes);
  const url = server.env.CAIRN_DATABASE_URL;
  if (url) found.set("database", Buffer.from(await dump(url)));
  return found;
}

async function dump(connectionString: string): Promise<string> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query("select tablename as name from pg_tables where schemaname = current_schema()");
  const texts: string[] = [];
  for (const { name } of rows) {
    const { rows: content } = await client.query(`select t::text as text from "${name}" t`);
    texts.push(...content.map(({ text }) => text));
  }
  await client.end();
  return texts.join("\n");
}

test("SEC-4 no key, password, session, CSRF token or mailed link is in the data or the log (T70)", async () => {
  const secrets: Record<string, string> = { password, "smtp password": "smtp-Secret-1", "sync key": "sync-Secret-1" };
  // What a key begins with is kept to tell keys apart.
  const rest = (key: string) => key.slice(12);
  secrets.key = rest(server.key);
  secrets["key by command"] = rest(JSON.parse((await server.cli(["key:create", "--name", "x", "--json"])).stdout).key);
  await server.request("GET", `/api/collections?api_key=${server.key}`, { key: null });
  await server.request("POST", `/api/collections?api_key=${server.key}`, { key: null, body: {} });

  await makeUser(server, "ada", [], { password: "adas-First-password" });
  secrets["first password"] = "adas-First-password";
  const ada = await signIn(server, "ada", { password: "adas-First-password", remember: true });
  secrets.session = ada.cookie.split("=")[1] as string;
  secrets["csrf token"] = ada.token;
  await ada.request("PATCH", "/api/collections/auth/ada", {
    body: { password: "adas-Second-password", currentPassword: "adas-First-password" },
  });
  secrets["second password"] = "adas-Second-password";
  await logIn(server, { email: "ada", password: "adas-Wrong-password" });
  secrets["wrong password"] = "adas-Wrong-password";
  await logIn(server, { email: "typed-In-the-name-field", password: "x" });
  secrets["password typed as a name"] = "typed-In-the-name-field";

  assert.equal((await server.request("PUT", "/api/settings/sync", { body: { key: "sync-Secret-1" } })).status, 200);
  await server.request("PUT", "/api/settings/smtp", { body: { password: "smtp-Secret-1" } });
  await server.request("PUT", "/api/settings/smtp", { body: { password: "" } });
  await server.request("POST", "/api/auth/forgot-password", { key: null, body: { email: "ada@example.test" } });
  const token = tokenIn(await mailbox.next("ada@example.test"));
  secrets["used link"] = token;
  const reset = { token, password: "adas-Third-password" };
  assert.equal((await server.request("POST", "/api/auth/reset-password", { key: null, body: reset })).status, 200);
  secrets["third password"] = "adas-Third-password";
  await server.request("POST", "/api/auth/forgot-password", { key: null, body: { email: "ada@example.test" } });
  secrets["unused link"] = tokenIn(await mailbox.next("ada@example.test"));

  const places = await atRest();
  assert.ok([...places.keys()].some((path) => path.endsWith("access.log")));
  for (const [what, secret] of Object.entries(secrets)) {
    assert.ok(secret.length >= 8, what);
    const forms = [secret, Buffer.from(secret).toString("base64url").slice(0, -2), Buffer.from(secret).toString("hex")];
    // A session is made of bytes, which may be kept as such.
    if (/^[\w-]{43}$/.test(secret)) forms.push(Buffer.from(secret, "base64url").toString("latin1"));
    for (const [place, bytes] of places)
      for (const form of forms) assert.equal(bytes.includes(form, 0, "latin1"), false, `${what} in ${place}`);
  }
});

test("SEC-2 a secret setting is used and never shown, and is encrypted in the file", async () => {
  await server.request("PUT", "/api/settings/sync", { body: { key: "sync-Secret-2" } });
  const saved = readFileSync(join(server.dataDir, ".system", "settings.json"), "utf8");
  assert.match(JSON.parse(saved).sync.key, /^enc:v1:/);
  for (const path of ["/api/settings/sync", "/api/settings/general"]) {
    const { text } = await server.request("GET", path);
    assert.ok(!/sync-Secret|enc:v1/.test(text), path);
  }
  for (const args of [["settings:get"], ["settings:get", "sync.key"], ["settings:set", "sync.key", "sync-Secret-3"]]) {
    const { stdout, stderr } = await server.cli(args);
    assert.ok(!/sync-Secret|enc:v1/.test(stdout + stderr), args.join(" "));
  }
});

test("SEC-1 the site key is for its owner only", () => {
  const key = statSync(join(server.dataDir, ".system", "site.key"));
  assert.equal(key.mode & 0o777, 0o600);
  assert.equal(key.size, 32);
});

test("SEC-3 without the site key the server starts, logs it, and accepts a new secret", async () => {
  const file = join(server.dataDir, ".system", "site.key");
  await server.terminate();
  const key = readFileSync(file);
  rmSync(file);
  if (engine === "postgres") {
    // There other nodes may have the key (NOD-8).
    await assert.rejects(server.restart(), /The site has a site key, and this node has none/);
    writeFileSync(file, key);
    return server.restart();
  }
  await server.restart();
  assert.ok(await until(() => /"settings":\["sync\.key"\].*the site key cannot decrypt/.test(server.stderr)));
  assert.equal((await server.request("GET", "/api/settings/sync")).body.data.key, "");
  assert.equal((await server.request("PUT", "/api/settings/sync", { body: { key: "sync-Secret-4" } })).status, 200);
  assert.equal((await server.request("GET", "/api/settings/sync")).body.data.key, "********");
  assert.notDeepEqual(readFileSync(file), key);
  writeFileSync(file, key);
  await server.restart();
  assert.equal((await server.request("GET", "/api/settings/sync")).body.data.key, "");
});

test("SEC-5 a key in the query is for reads, never in the log, and never for webhooks (T69)", async () => {
  const read = await server.request("GET", `/api/collections?api_key=${server.key}`, { key: null });
  assert.equal(read.status, 200);
  const write = { key: null, body: { id: "x" } };
  assert.equal((await server.request("POST", `/api/collections/auth?api_key=${server.key}`, write)).status, 401);
  assert.ok([401, 404].includes((await server.request("POST", `/automations/x?api_key=${server.key}`, write)).status));
  await server.request("GET", `/api/nothing?api_key=${server.key}`, { key: null });
  await server.request("GET", `/api/collections/%zz?api_key=${server.key}`, { key: null });
  for (const [place, bytes] of await atRest()) assert.equal(bytes.includes(server.key.slice(12)), false, place);
});
