import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import type { Logger } from "pino";
import { systemClock } from "#base/clock.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";
import { type Actor, anonymous, system } from "./actor.ts";
import { type AuditEvent, type Audited, audit, auditState } from "./audit.ts";
import { type AuditFilter, listAudit } from "./audit-list.ts";

/** The log is in files. */
const storage = { isShared: false } as Storage;
let ctx: Audited;
let errors: number;
beforeEach(() => {
  errors = 0;
  const error = () => {
    errors += 1;
  };
  const log = { error } as unknown as Logger;
  ctx = { settings: { dataDir: mkdtempSync(join(tmpdir(), "cairn-audit-")) }, clock: systemClock, log, actor: system };
});
afterEach(() => rmSync(ctx.settings.dataDir, { recursive: true }));

const folder = () => join(ctx.settings.dataDir, ".system", "logs");
const file = (number?: number) => join(folder(), number === undefined ? "access.log" : `access.log.${number}`);
const lines = () => readFileSync(file(), "utf8").split("\n").slice(0, -1);
const event: AuditEvent = { type: "key.created", details: { key: "k1" } };

async function listed(filter: AuditFilter = {}): Promise<JsonObject[]> {
  return Array.fromAsync(listAudit({ ...ctx, storage }, filter));
}

test("AUD-1 an event is one line: time, type, actor, address", () => {
  const origin = { address: "192.0.2.1", requestId: "r1" };
  const actor: Actor = { kind: "user", id: "ada", isAdmin: true, permissions: [], impersonator: "root" };
  audit({ ...ctx, actor, origin }, { type: "user.changed", user: "bob", details: { changed: ["groups"] } });
  const { time, ...rest } = JSON.parse(lines()[0] as string);
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
  assert.deepEqual(rest, {
    type: "user.changed",
    actor: "user:ada",
    impersonator: "root",
    user: "bob",
    address: "192.0.2.1",
    requestId: "r1",
    changed: ["groups"],
  });
});

test("AUD-2 the log is for its owner only, whatever the umask", () => {
  const umask = process.umask(0);
  try {
    audit(ctx, event);
  } finally {
    process.umask(umask);
  }
  assert.equal(statSync(file()).mode & 0o777, 0o600);
  assert.equal(statSync(folder()).mode & 0o777, 0o700);
});

test("AUD-3 no value can forge a line, nor grow without end", async () => {
  const evil = 'x\n{"type":"login.succeeded"}\r\u2028{"a":1}\u0085\u0000';
  audit(ctx, { ...event, user: `x\n{}\r\u2028\u2029\u0085`, details: { name: evil, long: "y".repeat(100_000) } });
  const text = readFileSync(file(), "utf8");
  assert.equal(text.split(/[\n\r\u2028\u2029\u0085]/).length, 2);
  assert.ok(text.length < 2_000);
  assert.equal((await listed())[0]?.name, evil);
});

test("AUD-6 the log rotates by size, and five old files are kept", async () => {
  mkdirSync(folder(), { recursive: true });
  for (let round = 1; round <= 7; round += 1) {
    writeFileSync(
      file(),
      `${JSON.stringify({ time: "2026-01-01", type: "logout", round })}\n${" ".repeat(10_485_760)}\n`,
    );
    audit(ctx, { type: "key.deleted", details: { round } });
  }
  assert.ok(!existsSync(file()) && !existsSync(file(6)) && !existsSync(`${file()}.lock`));
  audit(ctx, event);
  const kept = await listed();
  assert.deepEqual(
    kept.map(({ type, round }) => `${type} ${round}`),
    [3, 4, 5, 6, 7].flatMap((round) => [`logout ${round}`, `key.deleted ${round}`]).concat("key.created undefined"),
  );
});

test("AUD-6 a lock that a dead process left delays the rotation and no event", () => {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(file(), `${" ".repeat(10_485_760)}\n`);
  writeFileSync(`${file()}.lock`, "");
  audit(ctx, event);
  assert.equal(errors, 0);
  assert.ok(existsSync(file()));
});

test("AUD-7 a log that cannot be written fails nothing and is reported", () => {
  audit(ctx, event);
  assert.deepEqual(auditState(ctx), { isFailing: false, lost: 0 });
  rmSync(file());
  mkdirSync(file());
  audit(ctx, event);
  audit(ctx, event);
  assert.deepEqual(auditState(ctx), { isFailing: true, lost: 2 });
  assert.equal(errors, 2);
  rmSync(file(), { recursive: true });
  audit(ctx, event);
  assert.deepEqual(auditState(ctx), { isFailing: false, lost: 2 });
});

test("AUD-8 a line that was cut off spoils no other", async () => {
  audit(ctx, event);
  appendFileSync(file(), '{"time":"2026-01-01T00:00:00.000Z","type":"key.cre');
  audit(ctx, { type: "logout" });
  assert.deepEqual(
    (await listed()).map(({ type }) => type),
    ["key.created", "logout"],
  );
});

test("AUD-9 events of several processes are all kept, each on its own line", async () => {
  const path = JSON.stringify(join(import.meta.dirname, "audit.ts"));
  const program = `import(${path}).then(({ audit }) => { for (let i = 0; i < 300; i++)
    audit({ settings: { dataDir: process.argv[1] }, clock: { iso: () => new Date().toISOString() }, log: console,
      actor: { kind: "system" } }, { type: "key.created", details: { filler: "x".repeat(200) } }); })`;
  await Promise.all(
    Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ["-e", program, ctx.settings.dataDir], { stdio: "inherit" });
      return new Promise((done) => child.once("close", done));
    }),
  );
  assert.equal((await listed()).length, 1_200);
});

test("AUD-10 the list is filtered by type and time, oldest first", async () => {
  for (const [type, iso] of [
    ["logout", "2026-01-01T00:00:00.000Z"],
    ["key.created", "2026-01-02T00:00:00.000Z"],
    ["logout", "2026-01-03T00:00:00.000Z"],
  ] as const)
    audit({ ...ctx, clock: { now: () => 0, iso: () => iso } }, { type });
  const times = async (filter: AuditFilter) => (await listed(filter)).map(({ time }) => String(time).slice(8, 10));
  assert.deepEqual(await times({}), ["01", "02", "03"]);
  assert.deepEqual(await times({ type: "logout" }), ["01", "03"]);
  assert.deepEqual(await times({ since: "2026-01-02T00:00:00.000Z" }), ["02", "03"]);
});

test("AUD-11 the list is for the admin persona", async () => {
  for (const actor of [anonymous, { kind: "user", id: "u", isAdmin: false, permissions: [] }] as Actor[])
    await assert.rejects(Array.fromAsync(listAudit({ ...ctx, storage, actor }, {})), { name: "CairnError" });
});
