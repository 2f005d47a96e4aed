import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { takeLock } from "./build-lock.ts";

const place = mkdtempSync(join(tmpdir(), "cairn-lock-"));
const folder = join(place, ".building");
after(() => rmSync(place, { recursive: true }));

test("the next build waits for the one that runs", async () => {
  const giveBack = await takeLock(folder);
  const order: string[] = [];
  const second = takeLock(folder).then((give) => {
    order.push("second");
    give();
  });
  await new Promise((done) => setTimeout(done, 500));
  order.push("first");
  giveBack();
  await second;
  assert.deepEqual(order, ["first", "second"]);
  assert.equal(existsSync(folder), false);
});

test("a build that was killed holds up no other", async () => {
  mkdirSync(folder);
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(join(folder, "pid"), String(pid));
  (await takeLock(folder))();
  mkdirSync(folder);
  const before = new Date(Date.now() - 60_000);
  utimesSync(folder, before, before);
  (await takeLock(folder))();
  assert.equal(existsSync(folder), false);
});
