// audit:list.

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cleanEnvironment, runCairn } from "../harness.ts";

const dataDir = mkdtempSync(join(tmpdir(), "cairn-audit-"));
const logs = join(dataDir, ".system", "logs");
const list = (...args: string[]) =>
  runCairn(["audit:list", ...args], { env: cleanEnvironment({ CAIRN_DATA: dataDir }) });
const makeSite = (folder: string) =>
  runCairn(["key:create", "--name", "k"], { env: cleanEnvironment({ CAIRN_DATA: folder }) });
const ids = async (...args: string[]) =>
  JSON.parse((await list("--json", ...args)).stdout).map(({ key }: { key: string }) => key);

function line(time: string, type: string, key: string): string {
  return `${JSON.stringify({ time, type, actor: "system", key })}\n`;
}

before(async () => {
  await makeSite(dataDir);
  mkdirSync(logs, { recursive: true });
  writeFileSync(join(logs, "access.log.2"), line("2026-01-01T00:00:00.000Z", "key.created", "a"));
  writeFileSync(join(logs, "access.log.1"), line("2026-01-02T00:00:00.000Z", "key.deleted", "b"));
  writeFileSync(join(logs, "access.log"), line("2026-01-03T00:00:00.000Z", "key.created", "c"));
  appendFileSync(join(logs, "access.log"), `not a line\n${line(new Date().toISOString(), "logout", "d\u001b[31m")}`);
});
after(() => rmSync(dataDir, { recursive: true }));

test("AUD-10 audit:list shows all files, the newest event last, and no line that is none", async () => {
  assert.deepEqual(await ids(), ["a", "b", "c", "d\u001b[31m"]);
  const { code, stdout } = await list();
  assert.equal(code, 0);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, 4);
  assert.equal(lines[0], "2026-01-01T00:00:00.000Z  key.created  system  key=a");
  assert.ok(!stdout.includes("\u001b"));
});

test("AUD-10 audit:list is filtered by type and time, and cut to the newest", async () => {
  assert.deepEqual(await ids("--type", "key.created"), ["a", "c"]);
  assert.deepEqual(await ids("--type", "key.created", "--limit", "1"), ["c"]);
  assert.deepEqual(await ids("--limit", "3", "--since", "2026-01-02"), ["b", "c", "d\u001b[31m"]);
  assert.deepEqual(await ids("--since", "P1D"), ["d\u001b[31m"]);
  assert.deepEqual(await ids("--type", "login.failed"), []);
  assert.equal((await ids("--limit", "0")).length, 4);
});

test("AUD-10 audit:list refuses unknown values", async () => {
  for (const args of [
    ["--type", "nothing"],
    ["--since", "yesterday"],
    ["--limit", "-1"],
    ["--limit", "x"],
  ]) {
    const { code, stderr } = await list(...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, /^cairn: .+\n$/);
  }
});

test("AUD-10 audit:list of an installation without events is empty", async () => {
  const empty = mkdtempSync(join(tmpdir(), "cairn-audit-"));
  await makeSite(empty);
  rmSync(join(empty, ".system", "logs"), { recursive: true });
  const { code, stdout } = await list("--json", "--data", empty);
  assert.deepEqual([code, JSON.parse(stdout)], [0, []]);
  rmSync(empty, { recursive: true });
});
