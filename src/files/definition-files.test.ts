import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { type Definitions, openDefinitions } from "./definition-files.ts";

const base = mkdtempSync(join(tmpdir(), "cairn-definitions-"));
after(() => rmSync(base, { recursive: true }));

async function open(t: { after(undo: () => void): void }, dir = mkdtempSync(join(base, "d-"))) {
  const warnings: object[] = [];
  const files = await openDefinitions(dir, { log: { warn: (fields) => void warnings.push(fields) } });
  t.after(() => files.close());
  return { dir, files, warnings };
}

test("SCH-40 a saved schema is found at once, and is in the folder as JSON", async (t) => {
  const { dir, files } = await open(t);
  const before = files.version;
  await files.put("post", { id: "post", properties: {} });
  assert.deepEqual(files.find("post"), { id: "post", properties: {} });
  assert.ok(files.version > before);
  assert.deepEqual(JSON.parse(readFileSync(join(dir, "post.json"), "utf8")), { id: "post", properties: {} });
  assert.deepEqual(readdirSync(dir), ["post.json"]);
});

test("SCH-40 of many writers at once every one leaves a whole file, and memory agrees with it", async (t) => {
  const { dir, files } = await open(t);
  const contents = Array.from({ length: 30 }, (_, n) => ({ id: "post", n, text: "x".repeat(n * 500) }));
  await Promise.all(contents.map((content) => files.put("post", content)));
  const onDisk = JSON.parse(readFileSync(join(dir, "post.json"), "utf8"));
  assert.deepEqual(onDisk, contents[onDisk.n]);
  assert.deepEqual(files.find("post"), onDisk);
  assert.deepEqual(readdirSync(dir), ["post.json"]);
});

test("SCH-40 of many concurrent creates of the same file exactly one succeeds", async (t) => {
  const { dir, files } = await open(t);
  const other = await open(t, dir);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? files : other.files).create("post", { id: "post", n })),
  );
  assert.equal(answers.filter(Boolean).length, 1);
  assert.equal(files.find("post")?.n, answers.indexOf(true));
});

test("SCH-40 leftovers of a dead write are removed, a running write is not", async (t) => {
  const dir = mkdtempSync(join(base, "d-"));
  writeFileSync(join(dir, ".post.json.aa.tmp"), "{");
  writeFileSync(join(dir, ".post.json.bb.tmp"), "{");
  utimesSync(join(dir, ".post.json.aa.tmp"), 0, 0);
  await open(t, dir);
  assert.deepEqual(readdirSync(dir), [".post.json.bb.tmp"]);
});

test("SCH-40 a deleted definition is gone from memory and folder", async (t) => {
  const { dir, files } = await open(t);
  await files.put("post", { id: "post" });
  await files.delete("post");
  assert.equal(files.find("post"), undefined);
  assert.deepEqual([files.ids(), readdirSync(dir)], [[], []]);
  await files.delete("post");
});

test("SCH-41 a change by an editor is noticed without a restart", async (t) => {
  const { dir, files } = await open(t);
  await files.put("post", { id: "post", n: 1 });
  const seen: string[][] = [];
  files.onChange((ids) => void seen.push(ids));
  writeFileSync(join(dir, "post.json"), '{"id":"post","n":2}');
  await until(() => files.find("post")?.n === 2);
  assert.deepEqual(seen, [["post"]]);
});

test("SCH-41 files that appear and vanish by other hands are noticed", async (t) => {
  const { dir, files } = await open(t);
  writeFileSync(join(dir, "a.json"), "{}");
  await until(() => files.ids().includes("a"));
  renameSync(join(dir, "a.json"), join(dir, "b.json"));
  await until(() => files.ids().join() === "b");
});

test("SCH-41 a change without a notice of the file system is found when the version is read", async (t) => {
  // However long it takes, nobody has read the version again before it is time.
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const { dir, files } = await open(t);
  const told = new Promise<void>((done) => {
    const watcher = watch(dir, (_event, name) => name === basename(dir) && done());
    t.after(() => watcher.close());
  });
  rmSync(dir, { recursive: true }); // what is watched is gone
  await told;
  await sleep(100); // longer than the timer that the same notice has set elsewhere
  mkdirSync(dir);
  writeFileSync(join(dir, "post.json"), "{}");
  await sleep(100);
  assert.deepEqual(files.ids(), []);
  t.mock.timers.setTime(Date.now() + 3_000);
  const before = files.version;
  assert.deepEqual(files.ids(), [], "the reader does not wait for the disk");
  await until(() => files.ids().join() === "post");
  assert.ok(files.version > before);
  // The clock stands still, so nobody looks: the folder that came is watched in its turn.
  writeFileSync(join(dir, "second.json"), "{}");
  await until(() => files.ids().join() === "post,second");
  rmSync(dir, { recursive: true });
  t.mock.timers.setTime(Date.now() + 3_000);
  await until(() => files.version > 0 && files.ids().join() === "");
});

test("SCH-40 a save while the folder is gone creates it again", async (t) => {
  const { dir, files } = await open(t);
  for (const [name, write] of Object.entries({
    put: () => files.put("put", {}),
    create: () => files.create("create", {}),
    all: () => files.putAll(new Map([["all", {}]])),
  })) {
    rmSync(dir, { recursive: true });
    await write();
    assert.deepEqual([files.ids(), readdirSync(dir)], [[name], [`${name}.json`]]);
  }
});

test("SCH-41 refresh sees files of another process at once", async (t) => {
  const { dir, files } = await open(t);
  const other: Definitions = (await open(t, dir)).files;
  await other.put("post", { id: "post" });
  await files.refresh();
  assert.deepEqual(files.find("post"), { id: "post" });
});

test("SCH-42 a broken file is reported once, kept, and its last good content stays in use", async (t) => {
  const { dir, files, warnings } = await open(t);
  await files.put("post", { id: "post", n: 1 });
  writeFileSync(join(dir, "post.json"), '{"id":');
  await files.refresh();
  await files.refresh();
  assert.equal(files.find("post")?.n, 1);
  assert.deepEqual(
    files.broken().map((file) => file.id),
    ["post"],
  );
  assert.equal(warnings.length, 1);
  assert.equal(readFileSync(join(dir, "post.json"), "utf8"), '{"id":');
  writeFileSync(join(dir, "post.json"), '{"id":"post","n":2}');
  await files.refresh();
  assert.equal(files.find("post")?.n, 2);
  assert.deepEqual(files.broken(), []);
});

test("SCH-42 a file that was never good is ignored", async (t) => {
  const dir = mkdtempSync(join(base, "d-"));
  for (const [name, text] of Object.entries({ list: "[]", proto: '{"__proto__":{}}', deep: `${"[".repeat(99)}` })) {
    writeFileSync(join(dir, `${name}.json`), text);
  }
  const { files } = await open(t, dir);
  assert.deepEqual(files.ids(), []);
  assert.deepEqual(
    files
      .broken()
      .map((file) => file.id)
      .sort(),
    ["deep", "list", "proto"],
  );
});

test("SCH-43 only files whose name is an id are definitions", async (t) => {
  const dir = mkdtempSync(join(base, "d-"));
  for (const name of ["Post.json", "a b.json", ".hidden.json", "post.json.bak", "post.txt", "ok-1.json"]) {
    writeFileSync(join(dir, name), "{}");
  }
  const { files } = await open(t, dir);
  assert.deepEqual(files.ids(), ["ok-1"]);
});

test("SCH-44 a link is never followed", async (t) => {
  const { dir, files } = await open(t);
  writeFileSync(join(base, "outside.json"), '{"secret":1}');
  symlinkSync(join(base, "outside.json"), join(dir, "post.json"));
  await files.refresh();
  assert.equal(files.find("post"), undefined);
  assert.deepEqual(files.broken(), [{ id: "post", reason: "It is a link." }]);
});

test("SCH-44 writing over a link replaces the link, not its target", async (t) => {
  const { dir, files } = await open(t);
  writeFileSync(join(base, "target.json"), "{}");
  symlinkSync(join(base, "target.json"), join(dir, "post.json"));
  await files.put("post", { id: "post" });
  assert.equal(readFileSync(join(base, "target.json"), "utf8"), "{}");
  assert.deepEqual(files.find("post"), { id: "post" });
});

test("SCH-45 content cannot be changed in memory", async (t) => {
  const { files } = await open(t);
  await files.put("post", { id: "post", properties: { title: { type: "string" } } });
  const content = files.find("post") as { properties: { title: { type: string } } };
  assert.throws(() => {
    content.properties.title.type = "number";
  }, TypeError);
});
