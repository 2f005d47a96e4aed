// The command line itself: help, usage errors, exit codes. No server, and no data but an empty site.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { type CliResult, cleanEnvironment, root, runCairn } from "../harness.ts";

const dataDir = mkdtempSync(join(tmpdir(), "cairn-usage-"));
const env = cleanEnvironment({ CAIRN_DATA: dataDir, CAIRN_LOG_LEVEL: "silent" });
const cairn = (...args: string[]): Promise<CliResult> => runCairn(args, { env });

before(() => cairn("key:create", "--name", "k"));
after(() => rmSync(dataDir, { recursive: true, force: true }));

test("CLI-4 help lists every command with one line each, in groups, with examples", async () => {
  const { code, stdout, stderr } = await cairn("help");
  assert.deepEqual([code, stderr], [0, ""]);
  for (const group of [
    "Service",
    "Users and API keys",
    "Settings",
    "Schemas",
    "Collections",
    "Objects",
    "Maintenance",
  ]) {
    assert.match(stdout, new RegExp(`^${group}:$`, "m"));
  }
  for (const name of [
    "serve",
    "info",
    "version",
    "help",
    "user:create",
    "key:create",
    "settings:set",
    "schema:lint",
    "collection:query",
    "object:patch",
    "deck:import",
    "repair:index",
    "index:build",
  ]) {
    assert.match(stdout, new RegExp(`^  ${name}\\b.*  \\S`, "m"), name);
  }
  assert.match(stdout, /^Examples:$/m);
});

test("CLI-5 CLI-2 an unknown command ends with 2 and the nearest name", async () => {
  const { code, stdout, stderr } = await cairn("kye:list");
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /^cairn: unknown command 'kye:list'.*key:list.*\n$/);
});

test("CLI-2 CLI-3 a failure ends with 1 and one sentence, without a stack trace", async () => {
  const { code, stdout, stderr } = await cairn("object:get", "nowhere", "a");
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^cairn: There is no collection "nowhere"\.\n$/);
});

test("CLI-3 a file that is not there is one sentence", async () => {
  const { code, stderr } = await cairn("schema:import", "no-such-file.json");
  assert.equal(code, 1);
  assert.match(stderr, /^cairn: There is no file no-such-file\.json\.\n$/);
});

test("CLI-10 version and --version print the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  assert.equal((await cairn("--version")).stdout, `${version}\n`);
  assert.deepEqual(JSON.parse((await cairn("version", "--json")).stdout), { version });
});

test("CLI-8 a reader that goes away ends the command quietly", async () => {
  const main = join(root, "src", "main.ts");
  const child = spawn(process.execPath, [main, "settings:get", "--json"], { cwd: root, env });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((done) => child.once("close", done));
  assert.deepEqual([code, stderr], [0, ""]);
});

test("CLI-3 output that cannot be written is one sentence, and a failure", async () => {
  for (const args of [["settings:get"], ["help"], ["info", "--help"]]) {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [join(root, "src", "main.ts"), ...args], {
      ...{ cwd: root, env, stdio: ["ignore", full, "pipe"] },
    });
    closeSync(full);
    const [stderr, code] = await Promise.all([text(child.stderr as Readable), closed(child)]);
    assert.deepEqual([code, stderr], [1, "cairn: The disk is full.\n"], args.join(" "));
  }
});

test("CLI-3 an error in JSON names its file; so does a missing folder", async () => {
  writeFileSync(join(dataDir, "bad.json"), '{"id":');
  const bad = await cairn("schema:import", join(dataDir, "bad.json"));
  assert.deepEqual([bad.code, bad.stderr], [1, `cairn: ${join(dataDir, "bad.json")} is not valid JSON.\n`]);
  const nowhere = await cairn("schema:export", "blog", "-o", join(dataDir, "nowhere", "x.json"));
  assert.deepEqual([nowhere.code, nowhere.stderr], [1, `cairn: There is no folder ${join(dataDir, "nowhere")}.\n`]);
  const limit = await cairn("collection:query", "blog", "--limit", "abc");
  assert.deepEqual([limit.code, limit.stderr], [2, "cairn: --limit must be a whole number of at least 1.\n"]);
});

test("CLI-14 a command that is interrupted ends as the signal wants it", async () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const child = spawn(process.execPath, [join(root, "src", "main.ts"), "jumpstart:import", "-"], { cwd: root, env });
    const ended = closed(child);
    // Whoever reads standard input has begun to work.
    child.stdin.write("{".padEnd(1_000_000));
    await new Promise((drained) => child.stdin.once("drain", drained));
    child.kill(signal);
    assert.equal(await ended, signal);
  }
});

/** The exit code, or the signal that ended it. */
function closed(child: ChildProcess): Promise<number | string | null> {
  return new Promise((done) => child.once("close", (code, signal) => done(code ?? signal)));
}
