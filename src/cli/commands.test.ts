// How a call is read, in this process: no app is ever opened here.

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { Host } from "./call.ts";
import { runCli } from "./commands.ts";

interface Result {
  code: number;
  stdout: string;
  stderr: string;
  /** Whether the command came so far as to open the app. */
  isOpened: boolean;
}

async function run(...args: string[]): Promise<Result> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  let isOpened = false;
  const open = async (): Promise<never> => {
    isOpened = true;
    throw new Error("opened");
  };
  const host: Host = { openApp: open, serve: open, stdin, stdout, stderr };
  const code = await runCli(args, host);
  return { code, stdout: String(stdout.read() ?? ""), stderr: String(stderr.read() ?? ""), isOpened };
}

test("CLI-2 CLI-3 CLI-13 wrong usage ends with 2 and one line, before anything is opened", async () => {
  for (const args of [
    ["key:list", "--bogus"],
    ["key:delete"],
    ["key:delete", "one", "two"],
    ["key:create"],
    ["--data"],
    ["object:get", "blog"],
    ["user:create", "--password", "x"],
    ["user:create", "--email", "a@example.org"],
    ["collection:create", "news"],
    ["collection:create", "news", "--schema", "text", "--settings", "[]"],
    ["object:patch", "blog", "a", "--property", "novalue"],
    ["object:create", "blog", "file.json", "--data-json", "{}"],
    ["object:create", "blog", "--data-json", "[]"],
    ["object:create", "blog", "--data-json", "{x"],
    ["object:list", "blog", "--limit", "none"],
    ["object:list", "blog", "--limit", "0"],
    ["collection:query", "blog", "--offset", "-1"],
    ["key:list", "--data", ""],
    ["serve", "--host", ""],
    ["collection:query", "blog", "--filter", "[x]=1"],
    ["collection:export", "blog", "--format", "xml"],
    ["help", "nothing"],
  ]) {
    const { code, stdout, stderr, isOpened } = await run(...args);
    assert.deepEqual([args, code, stdout, isOpened], [args, 2, "", false]);
    assert.match(stderr, /^cairn: [^\n]+\n$/, args.join(" "));
  }
});

test("CLI-21 CLI-34 without a terminal there are no prompts: a missing password or --force is wrong usage", async () => {
  for (const args of [
    ["user:create", "--email", "a@example.org"],
    ["user:create", "--email", "a@example.org", "--password", "-"],
    ["collection:delete", "blog"],
    ["object:delete", "blog", "a"],
  ]) {
    const { code, stderr, isOpened } = await run(...args);
    assert.deepEqual([code, isOpened], [2, false]);
    assert.match(stderr, /password|--force/);
  }
});

test("CLI-38 repair:index takes a collection or --all, not neither and not both", async () => {
  for (const args of [["repair:index"], ["repair:index", "blog", "--all"]]) {
    const { code, stderr, isOpened } = await run(...args);
    assert.deepEqual([code, isOpened], [2, false]);
    assert.match(stderr, /collection, or --all/);
  }
});

test("CLI-50 a flag of serve that does not fit is wrong usage", async () => {
  for (const flags of [
    ["--port", "abc"],
    ["--port", "-1"],
    ["--workers", "0"],
  ]) {
    const { code, stderr, isOpened } = await run("serve", ...flags);
    assert.deepEqual([code, isOpened], [2, false]);
    assert.ok(stderr.startsWith(`cairn: ${flags[0]}: `), stderr);
  }
  assert.equal((await run("serve", "--port", "0", "--host", "::1")).isOpened, true);
});

test("CLI-5 help for an unknown command suggests the nearest one", async () => {
  assert.match((await run("help", "kye:list")).stderr, /key:list/);
});

test("CLI-1 CLI-4 CLI-13 help COMMAND and COMMAND --help say the same, and name --data and --json", async () => {
  const [asked, flagged] = [await run("help", "key:create"), await run("key:create", "--help")];
  assert.equal(asked.stdout, flagged.stdout);
  assert.deepEqual([asked.code, flagged.code, asked.isOpened], [0, 0, false]);
  for (const flag of ["--name", "--methods", "--endpoints", "--json", "--data", "--help"]) {
    assert.ok(asked.stdout.includes(flag), flag);
  }
});

test("CLI-4 without any argument the help is shown", async () => {
  const [bare, asked] = [await run(), await run("help")];
  assert.equal(bare.code, 0);
  assert.equal(bare.stdout, asked.stdout);
});

test("CLI-3 an unexpected failure is one sentence and exit 1", async () => {
  const { code, stdout, stderr } = await run("key:create", "--name", "k");
  assert.deepEqual([code, stdout, stderr], [1, "", "cairn: opened\n"]);
});
