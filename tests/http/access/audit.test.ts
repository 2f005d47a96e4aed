// What the audit log holds of each act that decides about access, and what it never holds.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { logIn, makeUser, password, signIn } from "../../support/sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await makeUser(server, "root", ["admin"]);
  await makeUser(server, "ada");
});
after(() => server.stop());

const file = () => join(server.dataDir, ".system", "logs", "access.log");

interface Line {
  time: string;
  type: string;
  actor: string;
  [name: string]: unknown;
}

/** The events that the work causes. */
async function recorded(work: () => Promise<unknown>): Promise<Line[]> {
  const seen = readFileSync(file(), "utf8").length;
  await work();
  const added = readFileSync(file(), "utf8").slice(seen);
  return added
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const shortly = (lines: Line[]) => lines.map(({ type, actor, user }) => [type, actor, user]);

test("AUD-1, AUD-2 signing in and out is recorded with address and request id", async () => {
  let requestId: string | null = null;
  const lines = await recorded(async () => {
    requestId = (await logIn(server, { email: "ada@example.test", password })).headers.get("x-request-id");
    const person = await signIn(server, "ada");
    await person.request("POST", "/api/auth/logout");
  });
  assert.deepEqual(shortly(lines), [
    ["login.succeeded", "user:ada", "ada"],
    ["login.succeeded", "user:ada", "ada"],
    ["logout", "user:ada", "ada"],
  ]);
  assert.equal(lines[0]?.address, "127.0.0.1");
  assert.equal(lines[0]?.requestId, requestId);
  assert.equal(statSync(file()).mode & 0o777, 0o600);
});

test("AUD-4 a failed login names the user only when there is one, and never the typed name", async () => {
  const typed = "My-Passw0rd-in-the-wrong-field";
  const lines = await recorded(async () => {
    await logIn(server, { email: "ada", password: "wrong-guess-1" });
    await logIn(server, { email: typed, password: "wrong-guess-2" });
    await logIn(server, { email: `${typed}@example.test`, password: "x\n{}" });
  });
  assert.deepEqual(shortly(lines), [
    ["login.failed", "anonymous", "ada"],
    ["login.failed", "anonymous", undefined],
    ["login.failed", "anonymous", undefined],
  ]);
  const text = readFileSync(file(), "utf8").toLowerCase();
  for (const word of [typed, "wrong-guess", password]) assert.ok(!text.includes(word.toLowerCase()), word);
});

test("AUD-5 AUD-13 keys, users, groups and settings leave a line with actor, action and target, without the values", async () => {
  const body = { description: "x", permissions: {} };
  const lines = await recorded(async () => {
    const { id } = JSON.parse((await server.cli(["key:create", "--name", "website", "--json"])).stdout);
    await server.cli(["key:delete", id]);
    await server.request("PUT", "/api/settings/sync", { body: { url: "https://a.test/api", key: "sync-secret" } });
    await makeUser(server, "bob");
    await server.request("PATCH", "/api/collections/auth/bob", { body: { groups: ["editor"], active: false } });
    await server.request("PATCH", "/api/collections/auth/bob", { body: { password: "another-password" } });
    await server.request("PATCH", "/api/collections/auth/bob", { body: { name: "Bob" } });
    await server.request("PUT", "/api/access-groups/writers", { body });
    await server.request("DELETE", "/api/access-groups/writers");
    await server.request("DELETE", "/api/collections/auth/bob");
  });
  assert.deepEqual(
    lines.map(({ type }) => type),
    [
      "key.created",
      "key.deleted",
      "settings.changed",
      "user.created",
      "user.changed",
      "user.changed",
      "group.saved",
      "group.deleted",
      "user.deleted",
    ],
  );
  assert.ok(lines.slice(0, 2).every(({ actor, address }) => actor === "system" && address === undefined));
  assert.ok(lines.slice(2).every(({ actor, requestId }) => /^key:/.test(actor) && typeof requestId === "string"));
  assert.deepEqual(lines[2]?.settings, ["sync.url", "sync.key"]);
  assert.deepEqual(lines[4]?.changed, ["groups", "active"]);
  assert.deepEqual(lines[5]?.changed, ["password"]);
  assert.ok(!/sync-secret|another-password|editor/.test(JSON.stringify(lines)));
});

test("AUD-5 users that come by import are recorded too", async () => {
  const lines = await recorded(async () => {
    const users = [{ id: "carl", email: "carl@example.test", password: "carls-password", active: true }];
    const headers = { "content-type": "application/json" };
    const file = { raw: JSON.stringify(users), headers };
    const { status, text } = await server.request("POST", "/api/import/collections/auth/json", file);
    assert.equal(status, 200, text);
  });
  assert.deepEqual(
    shortly(lines).map(([type, , user]) => [type, user]),
    [["user.created", "carl"]],
  );
});

test("AUD-13 a refused change leaves no line", async () => {
  const lines = await recorded(async () => {
    await server.request("PATCH", "/api/collections/auth/ada", { body: { email: "no address" } });
    await server.request("PATCH", "/api/collections/auth/ada", { key: null, body: { groups: ["admin"] } });
    await server.request("PUT", "/api/settings/sync", { body: { nothing: 1 } });
    await server.cli(["key:delete", "nothing"]);
  });
  assert.deepEqual(lines, []);
});

test("AUD-5 the setup is recorded, and every action of an admin who acts as a user names both", async () => {
  const root = await signIn(server, "root");
  await signIn(server, "ada");
  const lines = await recorded(async () => {
    const started = await root.request("POST", "/api/auth/impersonate/ada");
    const cookie = (started.headers.get("set-cookie") ?? "").split(";", 1)[0] as string;
    const headers = { cookie, "x-csrf-token": started.body.data.csrfToken };
    const own = (await server.request("GET", "/api/auth/sessions", { key: null, headers })).body.data;
    const other = own.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    await server.request("DELETE", `/api/auth/sessions/${other.id}`, { key: null, headers });
    await server.request("POST", "/api/auth/impersonate/stop", { key: null, headers });
  });
  assert.deepEqual(
    lines.map(({ type, user }) => [type, user]),
    [
      ["impersonation.started", "ada"],
      ["session.ended", "ada"],
      ["impersonation.stopped", "ada"],
    ],
  );
  assert.equal(lines[1]?.actor, "user:ada");
  assert.equal(lines[1]?.impersonator, "root");

  const fresh = await startServer();
  try {
    const link = /\/setup\?token=(\S+)/.exec(fresh.stdout)?.[1];
    const form = new URLSearchParams({
      token: String(link),
      email: "a@example.test",
      password: "a-good-one",
      repeat: "a-good-one",
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    assert.equal((await fresh.request("POST", "/setup", { key: null, raw: form.toString(), headers })).status, 201);
    const text = readFileSync(join(fresh.dataDir, ".system", "logs", "access.log"), "utf8");
    assert.match(text, /"type":"setup.completed","actor":"system","user":"admin","address":"127.0.0.1"/);
  } finally {
    await fresh.stop();
  }
});

test("AUD-7 a log that cannot be written fails no request, and shows in the log, the metrics and /readyz", async () => {
  const folder = join(server.dataDir, ".system", "logs");
  renameSync(folder, `${folder}-away`);
  mkdirSync(folder);
  mkdirSync(join(folder, "access.log"));
  assert.equal((await logIn(server, { email: "root", password })).status, 200);
  const readiness = async () => (await server.request("GET", "/readyz", { key: null })).body;
  // Of several workers, only the one that tried to write knows.
  await becomes(readiness, { status: "ok", audit: "failing" });
  assert.match((await server.request("GET", "/metrics")).text, /^cairn_audit_events_lost 1$/m);
  assert.ok(await until(() => server.stderr.includes("the audit log could not be written")));
  rmSync(folder, { recursive: true });
  renameSync(`${folder}-away`, folder);
  chmodSync(folder, 0o700);
  await becomes(
    async () => {
      assert.equal((await logIn(server, { email: "root", password })).status, 200);
      return readiness();
    },
    { status: "ok" },
  );
});
