// What holds for every command.

import assert from "node:assert/strict";
import { test } from "node:test";
import { coreWords } from "#contract/command-words.ts";
import { commands } from "./commands.ts";

test("CLI-63 every command has an example of itself", () => {
  const without = commands.filter(({ name, examples = [] }) => {
    const [word] = name.split(" ", 1);
    return !examples.some((line) => new RegExp(`(^|\\| )cairn ${word}( |$)`).test(line));
  });
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
  );
});

test("CLI-62 every command has a function", async () => {
  for (const { name, load } of commands) assert.equal(typeof (await load()), "function", name);
  assert.equal(new Set(commands.map(({ name }) => name.split(" ", 1)[0])).size, commands.length);
});

test("START-23 START-30 every command needs a site, except for these", () => {
  const names = (site: "none" | "may-create") =>
    commands.filter((entry) => entry.site === site).map(({ name }) => name.split(" ", 1)[0]);
  assert.deepEqual(names("none"), [
    "version",
    "server:config",
    "server:check",
    "database:prepare",
    "mcp:doctor",
    "site:compress",
    "backup:verify",
    "extension:new",
    "extension:types",
    "extension:check",
    "extension:test",
    "extension:pack",
  ]);
  assert.deepEqual(names("may-create"), [
    "serve",
    "dev",
    "user:create",
    "key:create",
    "site:init",
    "jumpstart:import",
    "backup:restore-all",
  ]);
});

test("EXT-72 the words that commands of extensions may not begin with are those of the core", () => {
  const words = commands.map(({ name }) => name.split(/[ :]/, 1)[0]);
  assert.deepEqual([...coreWords].sort(), [...new Set([...words, "completion", "help"])].sort());
});
