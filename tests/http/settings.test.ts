// Settings over HTTP and by command: felt at once by a running server. And the first administrator.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";

let server: Server;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

const section = async (name: string) => (await server.request("GET", `/api/settings/${name}`)).body.data;

test("SET-1, SET-2 a section is shown and changed", async () => {
  const put = await server.request("PUT", "/api/settings/sync", { body: { url: "https://remote.test/api" } });
  assert.deepEqual([put.status, put.body.data.url], [200, "https://remote.test/api"]);
  assert.equal((await section("sync")).url, "https://remote.test/api");
  assert.equal((await section("general")).edition, "pro");
  assert.equal((await server.request("GET", "/api/settings/nothing")).status, 404);
});

test("SET-3 wrong settings are 400 with all of them named", async () => {
  const { status, body } = await server.request("PUT", "/api/settings/htmlclean", {
    body: { enabled: "no", allowedTags: 1, zzz: 2 },
  });
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.error.details).sort(), [
    "htmlclean.allowedTags",
    "htmlclean.enabled",
    "htmlclean.zzz",
  ]);
  assert.equal(
    (
      await server.request("PUT", "/api/settings/sync", {
        raw: '{"__proto__":{"url":"x"}}',
        headers: { "content-type": "application/json" },
      })
    ).status,
    400,
  );
});

test("SET-5 a secret never leaves, and its mask changes nothing", async () => {
  const saved = () => JSON.parse(readFileSync(join(server.dataDir, ".system", "settings.json"), "utf8")).sync.key;
  await server.request("PUT", "/api/settings/sync", { body: { key: "top-secret-1" } });
  const before = saved();
  const shown = await server.request("GET", "/api/settings/sync");
  assert.ok(!shown.text.includes("top-secret-1"));
  await server.request("PUT", "/api/settings/sync", { body: shown.body.data });
  assert.equal(saved(), before);
  assert.ok(!(await server.cli(["settings:get", "sync.key"])).stdout.includes("top-secret-1"));
});

test("SET-6 a setting saved by a command is felt with the next request", async () => {
  assert.equal((await server.cli(["settings:set", "edition", "lite"])).code, 0);
  const schema = { id: "x", properties: { id: { type: "slug" } }, required: ["id"], index: ["id"] };
  assert.notEqual((await server.request("POST", "/api/schemas", { body: schema })).status, 201);
  assert.equal((await server.cli(["settings:set", "edition", "pro"])).code, 0);
  assert.equal((await server.request("POST", "/api/schemas", { body: schema })).status, 201);
});

test("SET-7, SET-8 a hand edit is followed, and a damaged file changes nothing (F19)", async () => {
  const file = join(server.dataDir, ".system", "settings.json");
  const content = { ...JSON.parse(readFileSync(file, "utf8")), environment: "development" };
  writeFileSync(file, JSON.stringify(content));
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.equal((await section("general")).environment, "development");
  writeFileSync(file, '{"environment": "produ');
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.equal((await section("general")).environment, "development");
  assert.equal((await server.request("PUT", "/api/settings/sync", { body: { url: "" } })).status, 503);
  assert.equal(readFileSync(file, "utf8"), '{"environment": "produ');
  writeFileSync(file, JSON.stringify(content));
});

test("SET-10 settings are closed to everyone but the admin persona", async () => {
  assert.equal((await server.request("GET", "/api/settings/sync", { key: null })).status, 401);
  assert.equal((await server.request("PUT", "/api/settings/sync", { key: null, body: { url: "x" } })).status, 401);
});

test("USER-2 of many that make the first administrator one succeeds, and then it is closed (T66, F15)", async () => {
  const token = /\/setup\?token=([\w-]+)/.exec(server.stdout)?.[1] ?? "";
  const post = (email: string, sent = token) => {
    const raw = new URLSearchParams({
      token: sent,
      email,
      name: "",
      password: "long-enough-1",
      repeat: "long-enough-1",
    }).toString();
    return server.request("POST", "/setup", {
      key: null,
      raw,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  };
  assert.equal((await post("thief@example.com", "wrong")).status, 403);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => post(`admin${n}@example.com`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(403)]);
  assert.equal((await post("late@example.com")).status, 403);
  const users = (await server.request("GET", "/api/collections/auth")).body.data;
  assert.deepEqual(
    users.map(({ id, groups, active }: { id: string; groups: string[]; active: boolean }) => ({ id, groups, active })),
    [{ id: "admin", groups: ["admin"], active: true }],
  );
});

test("USER-1 a user made by a command is an active object of auth without a visible password", async () => {
  const made = await server.cli([
    "user:create",
    "--email",
    "b@example.com",
    "--password",
    "long-enough-2",
    "--groups",
    "editor",
    "--id",
    "bea",
    "--json",
  ]);
  assert.equal(made.code, 0, made.stderr);
  const { body, text } = await server.request("GET", "/api/collections/auth/bea");
  assert.deepEqual([body.data.email, body.data.groups, body.data.active], ["b@example.com", ["editor"], true]);
  assert.ok(!text.includes("argon2") && !text.includes("long-enough-2"));
});

test("USER-1 the first user is called admin unless an id is given", async (t) => {
  const fresh = await startServer();
  t.after(() => fresh.stop());
  const made = await fresh.cli([
    "user:create",
    "--email",
    "a@example.com",
    "--password",
    "long-enough-1",
    "--groups",
    "admin",
    "--json",
  ]);
  assert.equal(JSON.parse(made.stdout).id, "admin");
});
