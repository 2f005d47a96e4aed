// Settings over HTTP and by command: felt at once by a running server. And the first administrator.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";

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

test("SET-14 image parameters that no image could have are refused when they are saved, each by its name", async () => {
  const put = (body: object) => server.request("PUT", "/api/settings/imageworks", { body });
  const before = await section("imageworks");
  const refused = await put({
    defaults: { w: 0, fm: "bmp", label: "no parameter" },
    presets: { good: { w: 5 }, odd: { quality: 101, q: 5 }, none: 7, nested: { fit: { x: 1 } } },
  });
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.error.details, {
    "imageworks.defaults.w": ["must be a whole number from 1 to 8000"],
    "imageworks.defaults.fm": ["must be one of jpg, png, webp, avif, gif, auto"],
    "imageworks.presets.odd.quality": ["must be a whole number from 1 to 100"],
    "imageworks.presets.none": ["must be an object of image parameters"],
    "imageworks.presets.nested.fit": ["must be one of crop, contain, cover, fill, inside, outside"],
  });
  const byCommand = await server.cli(["settings:set", "imageworks.defaults", '{"blur": 500}']);
  assert.deepEqual([byCommand.code, byCommand.stdout], [1, ""]);
  assert.match(byCommand.stderr, /imageworks\.defaults\.blur: must be a whole number from 1 to 100/);
  assert.deepEqual(await section("imageworks"), before);
  assert.equal((await put({ defaults: { q: "70" }, presets: { good: { w: 5, fit: "crop-10-20" } } })).status, 200);
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

test("SET-12 a section carries a strong ETag, and 304 answers a client that has it", async () => {
  const first = await server.request("GET", "/api/settings/api");
  const etag = first.headers.get("etag") as string;
  assert.match(etag, /^"[^"]+"$/);
  assert.equal(first.headers.get("cache-control"), "private, no-cache");
  const again = await server.request("GET", "/api/settings/api", { headers: { "if-none-match": etag } });
  assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
});

test("SET-13 PUT honours If-Match: a section that changed since is 412, and of several saves one succeeds", async () => {
  const put = (rateLimit: number, ifMatch: string) =>
    server.request("PUT", "/api/settings/api", { body: { rateLimit }, headers: { "if-match": ifMatch } });
  const old = (await server.request("GET", "/api/settings/api")).headers.get("etag") as string;
  const answers = await Promise.all([1_001, 1_002, 1_003, 1_004].map((limit) => put(limit, old)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412]);
  const saved = answers.find(({ status }) => status === 200);
  assert.equal((await put(5, `W/${saved?.headers.get("etag")}`)).status, 412);
  assert.deepEqual(await section("api"), saved?.body.data);
  await server.request("PUT", "/api/settings/sync", { body: { url: "https://elsewhere.test/api" } });
  assert.equal((await put(600, saved?.headers.get("etag") as string)).status, 200);
  assert.equal((await put(601, "*")).status, 200);
});

test("SET-6 a setting saved by a command applies to the next request", async () => {
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
  await becomes(async () => (await section("general")).environment, "development");
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

test("USER-1 the first administrator is called admin unless an id is given", async (t) => {
  for (const [group, isCalledAdmin] of [
    ["admin", true],
    ["editor", false],
  ] as const) {
    const fresh = await startServer();
    t.after(() => fresh.stop());
    const named = ["--email", "a@example.com", "--password", "long-enough-1", "--groups", group];
    const made = await fresh.cli(["user:create", ...named, "--json"]);
    assert.equal(JSON.parse(made.stdout).id === "admin", isCalledAdmin, group);
  }
});

test("ADM-920 GET /api/settings lists every setting with its value and source, and no secret", async () => {
  const list = async () => (await server.request("GET", "/api/settings")).body.data as Record<string, unknown>[];
  const one = async (key: string) => (await list()).find((setting) => setting.key === key) ?? {};
  await server.request("PUT", "/api/settings/smtp", { body: { password: "very-secret-1", port: 2525, host: null } });
  const text = (await server.request("GET", "/api/settings")).text;
  assert.equal(text.includes("very-secret-1"), false);
  const password = await one("smtp.password");
  assert.deepEqual(
    [password.isSecret, password.isSet, password.value, password.default, password.source],
    [true, true, null, null, "saved"],
  );
  const { section: of, type, label, about, value, source, readAtStart, waits } = await one("smtp.port");
  assert.deepEqual(
    [of, type, label, value, source, readAtStart, waits],
    ["smtp", "integer", "Port", 2525, "saved", false, false],
  );
  assert.ok(String(about).length > 5);
  assert.deepEqual(
    [(await one("smtp.host")).source, (await one("smtp.secure")).choices],
    ["default", ["starttls", "tls", "none"]],
  );
  // The harness chooses the port by a flag or the environment.
  assert.ok(["environment", "flag"].includes(String((await one("port")).source)));
  assert.equal((await one("workers")).waits, false);
  await server.request("PUT", "/api/settings/general", { body: { readers: 3 } });
  const readers = await one("readers");
  assert.deepEqual([readers.section, readers.readAtStart, readers.waits], ["general", true, true]);
  await server.request("PUT", "/api/settings/general", { body: { readers: null } });
  await server.request("PUT", "/api/settings/smtp", { body: { password: null, port: null } });
  assert.equal((await server.request("GET", "/api/settings", { key: null })).status, 401);
});
