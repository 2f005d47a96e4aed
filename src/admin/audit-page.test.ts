import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { anonymous, system } from "#access/actor.ts";
import { systemClock } from "#base/clock.ts";
import { CairnError } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { getAuditPage } from "./audit-page.ts";

let ctx: Context;
let logs: string;
beforeEach(() => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-audit-"));
  logs = join(dataDir, ".system", "logs");
  mkdirSync(logs, { recursive: true });
  // The logs are in files.
  const storage = { isShared: false };
  ctx = { settings: { dataDir }, storage, clock: systemClock, actor: system } as unknown as Context;
});
afterEach(() => rmSync(ctx.settings.dataDir, { recursive: true }));

const timeOf = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const access = (minute: number, more: object) =>
  `${JSON.stringify({ time: timeOf(minute), type: "login.succeeded", actor: "user:ada", n: minute, ...more })}\n`;
const found = async (params: Record<string, unknown>) => (await getAuditPage(ctx, params)).entries.map(({ n }) => n);

test("ADM-844 entries of the audit log come newest first, filtered by type, user and time", async () => {
  writeFileSync(join(logs, "access.log.1"), access(0, { type: "login.failed", user: "bob", actor: "anonymous" }));
  writeFileSync(
    join(logs, "access.log"),
    access(1, {}) +
      "damaged\n" +
      access(2, { user: "bob", impersonator: "eve" }) +
      access(100, { actor: "token:ada:app" }) +
      access(200, { actor: "key:1", user: "ad" }),
  );
  assert.deepEqual(await found({}), [200, 100, 2, 1, 0]);
  assert.deepEqual(await found({ type: "login.failed" }), [0]);
  assert.deepEqual(await found({ user: "bob" }), [2, 0]);
  assert.deepEqual(await found({ user: "ada" }), [100, 2, 1]);
  assert.deepEqual(await found({ user: "eve" }), [2]);
  assert.deepEqual(await found({ since: timeOf(2) }), [200, 100, 2]);
  assert.deepEqual(await found({ since: timeOf(2), until: timeOf(100) }), [100, 2]);
  assert.deepEqual(await found({ until: "2026-01-01" }), [0]);
  assert.deepEqual(await found({ since: "P1D" }), []);
  const [newest] = (await getAuditPage(ctx, { limit: "1" })).entries;
  assert.deepEqual([newest?.time, newest?.type, newest?.actor], [timeOf(200), "login.succeeded", "key:1"]);
});

test("ADM-844 the OAuth log and the MCP log share a file, and each shows its own entries", async () => {
  writeFileSync(
    join(logs, "mcp.log"),
    `[${timeOf(1)}] oauth-activity.INFO: Access token issued {"type":"token.issued","user_id":"ada","scopes":["cms:read"]}\n` +
      `[${timeOf(2)}] mcp-activity.ERROR: tools/call get_{x} {"type":"tools/call","actor":"token:ada:c","error":"not-found"}\n`,
  );
  const [issued] = (await getAuditPage(ctx, { log: "oauth", user: "ada" })).entries;
  const { id: _, ...entry } = issued ?? { id: "" };
  assert.deepEqual(entry, {
    ...{ type: "token.issued", user_id: "ada", scopes: ["cms:read"], user: "ada" },
    ...{ time: timeOf(1), level: "INFO", message: "Access token issued" },
  });
  const calls = (await getAuditPage(ctx, { log: "mcp", type: "tools/call" })).entries;
  assert.deepEqual(
    calls.map(({ message, level, error }) => [message, level, error]),
    [["tools/call get_{x}", "ERROR", "not-found"]],
  );
});

test("ADM-844 parameters that cannot be read are refused by name, and callers without the right too", async () => {
  const bad: [string, unknown][] = [
    ["log", "other"],
    ["type", "token.issued"],
    ["since", "yesterday"],
    ["until", "5"],
    ["limit", "0"],
    ["cursor", "x"],
    ["after", "../1"],
    ["user", ["a", "b"]],
  ];
  for (const [name, value] of bad) {
    await assert.rejects(getAuditPage(ctx, { [name]: value }), (error) => {
      assert.ok(error instanceof CairnError);
      assert.deepEqual([error.status, Object.keys(error.details ?? {})], [400, [name]]);
      return true;
    });
  }
  await assert.rejects(getAuditPage({ ...ctx, actor: anonymous }, {}), { status: 401 });
});

test("ADM-845 pages follow each other by cursor over a rotation, and after tells what is new", async () => {
  const file = join(logs, "access.log");
  writeFileSync(file, Array.from({ length: 7 }, (_, at) => access(at, {})).join(""));
  const first = await getAuditPage(ctx, { limit: "3" });
  renameSync(file, `${file}.1`);
  appendFileSync(file, access(7, {}));
  const second = await getAuditPage(ctx, { limit: "3", cursor: first.cursor });
  const third = await getAuditPage(ctx, { limit: "3", cursor: second.cursor });
  assert.deepEqual(
    [first, second, third].map(({ entries }) => entries.map(({ n }) => n)),
    [[6, 5, 4], [3, 2, 1], [0]],
  );
  assert.equal(third.cursor, undefined);
  assert.deepEqual(await found({ after: first.entries[0]?.id }), [7]);
  assert.deepEqual(await found({ after: (await getAuditPage(ctx, {})).entries[0]?.id }), []);
});

test("ADM-845 a page reads a bounded part of a large log, and its cursor leads to the rest", async () => {
  const filling = access(1, { details: "x".repeat(400) }).repeat(12_000);
  writeFileSync(join(logs, "access.log"), access(0, { type: "logout" }) + filling);
  const first = await getAuditPage(ctx, { type: "logout" });
  assert.deepEqual(first.entries, []);
  const second = await getAuditPage(ctx, { type: "logout", cursor: first.cursor });
  assert.deepEqual(
    second.entries.map(({ n }) => n),
    [0],
  );
});
