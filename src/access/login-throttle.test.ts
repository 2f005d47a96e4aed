import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { createLog } from "#base/log.ts";
import type { Context } from "#context.ts";
import { openStorage } from "#storage/open.ts";
import type { Storage } from "#storage/port.ts";
import { anonymous } from "./actor.ts";
import { checkThrottle, clearFailures } from "./login-throttle.ts";

let dataDir: string;
let storage: Storage;
let time: number;
const values: Record<string, number | string> = {};

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "cairn-throttle-"));
  storage = await openStorage({ dataDir, databaseUrl: "", role: "command", log: createLog("silent") });
  time = Date.parse("2026-01-01T00:00:00Z");
  Object.assign(values, { "auth.loginLimit": 10, "auth.addressLimit": 100, "auth.loginWindow": "PT15M" });
});
afterEach(async () => {
  await storage.close();
  rmSync(dataDir, { recursive: true });
});

/** What the throttle needs of a context. */
function context(): Context {
  const clock = { now: () => time, iso: () => new Date(time).toISOString() };
  const settings = { dataDir, get: (key: string) => values[key] };
  return { storage, clock, log: createLog("silent"), settings, actor: anonymous } as unknown as Context;
}

/** How many of so many failing attempts are let through, and the wait that the others are told. */
async function fail(times: number, attempt: { account: string; user?: string; address?: string }) {
  const ctx = context();
  const results = await Promise.all(
    Array.from({ length: times }, () =>
      checkThrottle(ctx, { address: "192.0.2.1", ...attempt }).catch((error) => error as CairnError),
    ),
  );
  const refused = results.filter((result) => result instanceof CairnError);
  assert.ok(refused.every(({ status }) => status === 429));
  return { admitted: times - refused.length, retryAfter: refused[0]?.retryAfter };
}

test("RATE-10 of any number of attempts at once, 10 for an account and address are looked at (T61)", async () => {
  assert.deepEqual(await fail(30, { account: "ada" }), { admitted: 10, retryAfter: 900 });
  assert.deepEqual(await fail(3, { account: "ada" }), { admitted: 0, retryAfter: 900 });
  assert.equal((await fail(3, { account: "bob" })).admitted, 3);
  assert.equal((await fail(3, { account: "ada", address: "192.0.2.2" })).admitted, 3);
});

test("RATE-10 after the window the account is open again", async () => {
  await fail(12, { account: "ada" });
  time += 60_500;
  assert.equal((await fail(1, { account: "ada" })).retryAfter, 840);
  time += 840_000;
  assert.equal((await fail(12, { account: "ada" })).admitted, 10);
});

test("RATE-17 id and e-mail address of one user are one account", async () => {
  assert.equal((await fail(6, { account: "ada", user: "ada" })).admitted, 6);
  const byAddress = await fail(6, { account: "ada@example.org", user: "ada" });
  assert.deepEqual(byAddress, { admitted: 4, retryAfter: 900 });
});

test("RATE-16 a locked user is refused under every name, and an unknown name as often as a known one", async () => {
  assert.deepEqual(await fail(12, { account: "ada@example.org", user: "ada" }), { admitted: 10, retryAfter: 900 });
  assert.deepEqual(await fail(12, { account: "ada", user: "ada" }), { admitted: 0, retryAfter: 900 });
  assert.deepEqual(await fail(12, { account: "nobody" }), { admitted: 10, retryAfter: 900 });
});

test("RATE-17 a login before the limit clears the count", async () => {
  await fail(9, { account: "ada" });
  const attempt = { account: "ada", address: "192.0.2.1" };
  await checkThrottle(context(), attempt);
  await clearFailures(context(), attempt);
  assert.equal((await fail(12, { account: "ada" })).admitted, 10);
});

test("RATE-11 100 failures from one address over all accounts are the end of it (T61)", async () => {
  let admitted = 0;
  for (let i = 0; i < 130; i += 1) admitted += (await fail(1, { account: `user-${i}` })).admitted;
  assert.equal(admitted, 100);
  assert.equal((await fail(1, { account: "ada" })).admitted, 0);
  assert.equal((await fail(1, { account: "ada", address: "192.0.2.2" })).admitted, 1);
});

test("RATE-11 signing in does not count for the address", async () => {
  for (let i = 0; i < 120; i += 1) {
    const attempt = { account: `user-${i}`, address: "192.0.2.1" };
    await checkThrottle(context(), attempt);
    await clearFailures(context(), attempt);
  }
  assert.equal((await fail(1, { account: "ada" })).admitted, 1);
});

test("RATE-3 addresses of one IPv6 network share their attempts", async () => {
  assert.equal((await fail(6, { account: "ada", address: "2001:db8::1" })).admitted, 6);
  assert.equal((await fail(6, { account: "ada", address: "2001:db8::ffff:2" })).admitted, 4);
});

test("RATE-4 0 switches either limit off", async () => {
  values["auth.loginLimit"] = 0;
  assert.equal((await fail(100, { account: "ada" })).admitted, 100);
  assert.equal((await fail(1, { account: "ada" })).admitted, 0);
  values["auth.addressLimit"] = 0;
  assert.equal((await fail(200, { account: "ada" })).admitted, 200);
});

test("RATE-13 stored counts do not reveal which accounts were tried", async () => {
  await fail(3, { account: "ada-lovelace" });
  const stored = await storage.all<{ name: string }>("SELECT name FROM counters");
  assert.equal(stored.length, 2);
  assert.ok(stored.every(({ name }) => /^[a-z-]+:[0-9a-f]{32}$/.test(name)));
  const folder = join(dataDir, ".system");
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      assert.ok(!readFileSync(join(entry.parentPath, entry.name)).includes("ada-lovelace"), entry.name);
});

test("AUD-4 a lockout is recorded once a window, however many attempts follow", async () => {
  await fail(50, { account: "ada", user: "ada" });
  await fail(50, { account: "ada", user: "ada" });
  const lines = readFileSync(join(dataDir, ".system", "logs", "access.log"), "utf8")
    .trim()
    .split("\n");
  assert.equal(lines.length, 1);
  const { type, user } = JSON.parse(lines[0] as string);
  assert.deepEqual({ type, user }, { type: "login.throttled", user: "ada" });
});
