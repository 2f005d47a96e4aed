// The command line itself: help, usage errors, exit codes. No server, and no data but an empty directory.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type CliResult, cleanEnvironment, root, runCairn } from "../harness.ts";

const dataDir = mkdtempSync(join(tmpdir(), "cairn-usage-"));
const env = cleanEnvironment({ CAIRN_DATA: dataDir, CAIRN_LOG_LEVEL: "silent" });
const cairn = (...args: string[]): Promise<CliResult> => runCairn(args, { env });

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
