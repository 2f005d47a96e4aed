import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { mayOverwrite } from "./sync.ts";

function terminal(isTTY: boolean) {
  const streams = {
    stdin: Object.assign(new PassThrough(), { isTTY }),
    stderr: Object.assign(new PassThrough(), { isTTY }),
  };
  return { ...streams, shown: () => String(streams.stderr.read() ?? "") };
}

test("SYNC-55 at a terminal a yes is needed before newer items are overwritten", async () => {
  for (const [answer, isMeant] of [
    ["y\n", true],
    ["yes\n", true],
    ["\n", false],
    ["n\n", false],
  ] as const) {
    const person = terminal(true);
    person.stdin.write(answer);
    assert.equal(await mayOverwrite(person, false, 2), isMeant, answer);
    assert.match(person.shown(), /Overwrite 2 newer items\? \[y\/N\]/);
  }
});

test("SYNC-55 nothing is asked with --yes, without a terminal, or when nothing newer is there", async () => {
  for (const [isTTY, isSure, count] of [
    [true, true, 1],
    [false, false, 1],
    [true, false, 0],
  ] as const) {
    const person = terminal(isTTY);
    assert.equal(await mayOverwrite(person, isSure, count), true);
    assert.equal(person.shown(), "");
  }
});
