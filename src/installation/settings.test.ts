import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { type Actor, anonymous, system } from "#access/actor.ts";
import { systemClock } from "#base/clock.ts";
import { createLog } from "#base/log.ts";
import { loadSettings, secretMask } from "#config/config.ts";
import type { Context } from "#context.ts";
import { createReactions } from "#jobs/reactions.ts";
import { openStorage } from "#storage/open.ts";
import { followSettings, getSettingsSection, putSettingsSection, setSetting } from "./settings.ts";

let dataDir: string;
let ctx: Context;
const saved = () => JSON.parse(readFileSync(join(dataDir, ".system", "settings.json"), "utf8"));
const as = (actor: Actor): Context => ({ ...ctx, actor });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "cairn-settings-"));
  ctx = await open();
});
afterEach(async () => {
  await ctx.storage.close();
  rmSync(dataDir, { recursive: true });
});

async function open(): Promise<Context> {
  const log = createLog("silent");
  const storage = await openStorage({ dataDir, databaseUrl: "", role: "command", log });
  const settings = loadSettings({ projectDir: dataDir, env: { CAIRN_DATA: dataDir, CAIRN_EDITION: "standard" } });
  // Settings need no schemas.
  const reactions = createReactions();
  return { settings, storage, reactions, clock: systemClock, log, actor: system } as Context;
}

test("SET-1 a section is shown by its name, general holds the rest", async () => {
  assert.deepEqual(Object.keys((await getSettingsSection(ctx, "sync")) as object), [
    "url",
    "key",
    "timeout",
    "maxBodySize",
  ]);
  const general = (await getSettingsSection(ctx, "general")) as { edition: string; api?: unknown };
  assert.equal(general.edition, "standard");
  assert.equal(general.api, undefined);
  for (const section of ["", "nothing", "__proto__", "constructor", "sync."])
    await assert.rejects(getSettingsSection(ctx, section), { status: 404 }, section);
});

test("SET-2 sent settings change at once, the others stay", async () => {
  await putSettingsSection(ctx, "sync", { url: "https://a.test/api" });
  const shown = await putSettingsSection(ctx, "htmlclean", { enabled: false });
  assert.equal((shown as { enabled: boolean }).enabled, false);
  await setSetting(ctx, "edition", "lite");
  assert.equal(ctx.settings.get("sync.url"), "https://a.test/api");
  assert.equal(ctx.settings.get("edition"), "lite");
  assert.deepEqual(saved(), { sync: { url: "https://a.test/api" }, htmlclean: { enabled: false }, edition: "lite" });
});

test("SET-3 unknown settings and wrong values are named, and nothing is changed", async () => {
  await assert.rejects(
    putSettingsSection(ctx, "sync", { url: 5, nothing: 1, deep: { er: true }, key: "k" }),
    (error: never) => {
      assert.deepEqual(Object.keys((error as { details: object }).details), [
        "sync.url",
        "sync.nothing",
        "sync.deep.er",
      ]);
      return (error as { status: number }).status === 400;
    },
  );
  for (const [key, value] of [
    ["edition", "gold"],
    ["port", 1.5],
    ["nope", 1],
    ["__proto__", {}],
    ["api", {}],
  ] as const)
    await assert.rejects(setSetting(ctx, key, value), { status: 400 }, key);
  for (const values of [null, [], "x", 1])
    await assert.rejects(putSettingsSection(ctx, "sync", values), { status: 400 });
  await assert.rejects(putSettingsSection(ctx, "nothing", {}), { status: 404 });
  assert.throws(saved, { code: "ENOENT" });
});

test("SET-4 null removes the saved value of a setting", async () => {
  await setSetting(ctx, "edition", "lite");
  await setSetting(ctx, "edition", null);
  assert.equal(ctx.settings.get("edition"), "standard");
  assert.deepEqual(saved(), {});
});

test("SET-5 a secret is masked, and the mask written back leaves it", async () => {
  await putSettingsSection(ctx, "sync", { key: "secret-1" });
  const shown = (await getSettingsSection(ctx, "sync")) as { key: string };
  assert.equal(shown.key, secretMask);
  await putSettingsSection(ctx, "sync", { ...shown, url: "https://b.test/api" });
  assert.equal(ctx.settings.get("sync.key"), "secret-1");
  await putSettingsSection(ctx, "sync", { key: "" });
  assert.equal(ctx.settings.get("sync.key"), "");
});

test("SET-6 another process feels a saved setting with its next request", async () => {
  const server = await open();
  followSettings(server);
  await setSetting(ctx, "edition", "lite");
  await new Promise(setImmediate);
  followSettings(server);
  assert.equal(server.settings.get("edition"), "lite");
  await server.storage.close();
});

test("SET-7 a file edited by hand is followed within a second", async () => {
  followSettings(ctx);
  mkdirSync(join(dataDir, ".system"), { recursive: true });
  writeFileSync(join(dataDir, ".system", "settings.json"), '{"htmlclean.enabled": false}');
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  followSettings(ctx);
  assert.equal(ctx.settings.get("htmlclean.enabled"), false);
  await setSetting(ctx, "htmlclean.enabled", true);
  assert.deepEqual(saved(), { htmlclean: { enabled: true } });
});

test("SET-8 a damaged file leaves the last good values and is not overwritten", async () => {
  await setSetting(ctx, "edition", "lite");
  const file = join(dataDir, ".system", "settings.json");
  for (const damaged of ['{"edition":', "[]", '{"edition": 5}', "\0\0\0\0"]) {
    writeFileSync(file, damaged);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    followSettings(ctx);
    assert.equal(ctx.settings.get("edition"), "lite", damaged);
  }
  await assert.rejects(setSetting(ctx, "edition", "pro"), { status: 503 });
  assert.equal(readFileSync(file, "utf8"), "\0\0\0\0");
});

test("SEC-2 a secret is saved encrypted, and one written by hand with the next save", async () => {
  await setSetting(ctx, "sync.key", "secret-1");
  assert.match(saved().sync.key, /^enc:v1:/);
  assert.equal(ctx.settings.get("sync.key"), "secret-1");
  const file = join(dataDir, ".system", "settings.json");
  for (const byHand of [{ "sync.key": "secret-2" }, { sync: { key: "secret-2" } }]) {
    writeFileSync(file, JSON.stringify(byHand));
    ctx.settings.reload();
    assert.equal(ctx.settings.get("sync.key"), "secret-2");
    await setSetting(ctx, "edition", "lite");
    assert.match(saved().sync.key, /^enc:v1:/);
    assert.ok(!readFileSync(file, "utf8").includes("secret-"));
    assert.equal(ctx.settings.get("sync.key"), "secret-2");
  }
});

test("SEC-2 a value that looks encrypted is a secret like any other when it is sent", async () => {
  await setSetting(ctx, "sync.key", "enc:v1:mine");
  assert.equal(ctx.settings.get("sync.key"), "enc:v1:mine");
});

test("SEC-3 with a lost, damaged or other site key a secret counts as not saved, until the right one is back", async () => {
  await setSetting(ctx, "sync.key", "secret-1");
  const file = join(dataDir, ".system", "site.key");
  const key = readFileSync(file);
  for (const other of [undefined, Buffer.from("short"), Buffer.alloc(32, 7)]) {
    rmSync(file, { force: true });
    if (other) writeFileSync(file, other);
    const started = loadSettings({ projectDir: dataDir, env: { CAIRN_DATA: dataDir } });
    assert.equal(started.get("sync.key"), "");
    assert.deepEqual(started.unreadable, ["sync.key"]);
  }
  await setSetting(ctx, "edition", "lite");
  writeFileSync(file, key);
  ctx.settings.reload();
  assert.equal(ctx.settings.get("sync.key"), "secret-1");
  assert.deepEqual(ctx.settings.unreadable, []);
});

test("SEC-3 a secret is bound to its setting", async () => {
  await setSetting(ctx, "sync.key", "secret-1");
  writeFileSync(join(dataDir, ".system", "settings.json"), JSON.stringify({ filesUrl: saved().sync.key }));
  ctx.settings.reload();
  assert.equal(ctx.settings.get("filesUrl"), "");
  assert.deepEqual(ctx.settings.unreadable, ["filesUrl"]);
});

test("SET-9, SET-11 saves at the same moment are all kept, in a file for its owner only", async () => {
  await Promise.all([
    setSetting(ctx, "edition", "lite"),
    setSetting(ctx, "sync.url", "https://a.test/api"),
    setSetting(ctx, "api.rateLimit", 5),
    setSetting(ctx, "htmlclean.enabled", false),
  ]);
  assert.deepEqual(saved(), {
    edition: "lite",
    sync: { url: "https://a.test/api" },
    api: { rateLimit: 5 },
    htmlclean: { enabled: false },
  });
  assert.equal(statSync(join(dataDir, ".system", "settings.json")).mode & 0o777, 0o600);
});

test("SET-10 settings are for the admin persona", async () => {
  await assert.rejects(getSettingsSection(as(anonymous), "sync"), { status: 401 });
  await assert.rejects(putSettingsSection(as(anonymous), "sync", {}), { status: 401 });
  await assert.rejects(setSetting(as({ kind: "user", id: "u", permissions: [], isAdmin: false }), "edition", "lite"), {
    status: 403,
  });
});
