import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCommands } from "./check-commands.ts";

test("EXT-72 a command that takes a word of the core or breaks the command line is refused", () => {
  const check = (command: object) => checkCommands([{ name: "map:find", about: "Find", ...command }]);
  assert.deepEqual(
    check({
      arguments: "<id> [more]",
      options: [
        ["-l, --limit <n>", "x"],
        ["--dry-run", "y"],
      ],
    }),
    [],
  );
  assert.deepEqual(check({ name: "object:find" }), [
    'contributes.commands.object:find: "object" is a word of Cairn\'s own commands',
  ]);
  for (const args of ["id", "<id", "<id>  <b>", "[more] <id>", "<id>\n"])
    assert.equal(check({ arguments: args }).length, 1);
  for (const flags of ["limit", "--json", "--data <dir>", "-h, --hops", "--Limit", "--limit [n]", "--a b"])
    assert.equal(check({ options: [[flags, "x"]] }).length, 1, flags);
  assert.equal(
    check({
      options: [
        ["--one", "x"],
        ["--one <n>", "y"],
      ],
    }).length,
    1,
  );
});
