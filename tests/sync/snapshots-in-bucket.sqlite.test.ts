// Snapshots of one server whose files are in a bucket: on their way from its disk, and in whole backups, in both directions.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { cleanEnvironment, type Server, startServer } from "../harness.ts";
import { filesBelow } from "../support/files-below.ts";
import { type Bucket, startBucket } from "../support/s3-server.ts";
import { fill, importInto, snapshotFiles } from "./pair.ts";
import { cairn } from "./site.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-bucket-snapshots-"));
const dataDir = join(folder, "site");
const ending = "._S3rver_object";
let bucket: Bucket;
let server: Server;

before(async () => {
  bucket = await startBucket();
});
after(async () => {
  await server.stop();
  await bucket.close();
  rmSync(folder, { recursive: true });
});

function inBucket(of = bucket): string[] {
  return filesBelow(join(of.folder, "site", ".system", "backups"))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
}
const textOf = (name: string) => readFileSync(join(bucket.folder, "site/.system/backups", name + ending), "utf8");
const page = (title: string) => ({
  objects: [{ collection: "builder-pages", id: "home", data: { title, template: "x" } }],
});

test("NOD-19 snapshots on the disk of a server are moved into the bucket when it starts; none is lost or replaced", async () => {
  server = await startServer({ dataDir });
  await fill(server);
  for (const title of ["One", "Two", "Three"]) await importInto(server, page(title));
  const files = snapshotFiles(server);
  const contents = files.map((file) => readFileSync(join(dataDir, ".system/backups", file), "utf8"));
  assert.equal(files.length, 3);
  await server.stop();
  server = await startServer({ dataDir, env: { CAIRN_FILES: bucket.url } });
  await becomes(() => inBucket(), files);
  await becomes(() => snapshotFiles(server), []);
  assert.deepEqual(files.map(textOf), contents);
  const listed = JSON.parse((await server.cli(["backup:list", "--json"])).stdout);
  assert.deepEqual(listed.map(({ file }: { file: string }) => file).sort(), files);
  await server.terminate();
  // As a move that was cut off, and another node with a snapshot of the same second, leave it.
  const [same = "", other = ""] = files;
  const local = (file: string) => join(dataDir, ".system/backups", file);
  for (const [file, text] of [
    [same, textOf(same)],
    [other, '{"title":"Other"}'],
    ["notes.txt", "mine"],
  ] as const) {
    mkdirSync(dirname(local(file)), { recursive: true });
    writeFileSync(local(file), text);
  }
  await server.restart();
  await becomes(() => snapshotFiles(server), ["notes.txt"]);
  const added = inBucket().filter((file) => !files.includes(file));
  assert.deepEqual(added.map(textOf), ['{"title":"Other"}']);
  assert.equal(added[0]?.replace(/(-\d)?\.json$/, ""), other.replace(/(-\d)?\.json$/, ""));
  assert.equal(inBucket().length, files.length + 1);
  assert.deepEqual(files.map(textOf), contents);
});

test("CLI-11 snapshots in the bucket are counted", async () => {
  const { stdout } = await server.cli(["info", "--json"]);
  const expected = inBucket().reduce((sum, name) => sum + Buffer.byteLength(textOf(name)), "mine".length);
  assert.equal(JSON.parse(stdout).sizes.backups, expected);
});

test("BAK-8 a backup has the snapshots of the bucket and those that wait on the disk, and comes back on either", async () => {
  rmSync(join(dataDir, ".system/backups/notes.txt"));
  const waiting = "schemas/article/article-20200101-000000.json";
  mkdirSync(dirname(join(dataDir, ".system/backups", waiting)), { recursive: true });
  writeFileSync(join(dataDir, ".system/backups", waiting), '{"id":"article"}');
  const expected = [...inBucket(), waiting].sort();
  const contents = new Map(inBucket().map((name) => [name, textOf(name)]));
  const [first, second] = [join(folder, "first.zip"), join(folder, "second.zip")];
  const made = await server.cli(["backup:create", first]);
  assert.equal(made.code, 0, made.stderr);

  const onDisk = cleanEnvironment({ CAIRN_DATA: join(folder, "disk"), CAIRN_LOG_LEVEL: "warn" });
  const there = await cairn(onDisk, "backup:restore-all", first);
  assert.equal(there.code, 0, there.stderr);
  const found = snapshotFiles({ dataDir: join(folder, "disk") } as Server);
  assert.deepEqual(found, expected);
  for (const [name, text] of contents)
    assert.equal(readFileSync(join(folder, "disk/.system/backups", name), "utf8"), text, name);

  assert.equal((await cairn(onDisk, "backup:create", second)).code, 0);
  const other = await startBucket();
  try {
    const CAIRN_DATA = join(folder, "again");
    const inOther = cleanEnvironment({ CAIRN_DATA, CAIRN_FILES: other.url, CAIRN_LOG_LEVEL: "warn" });
    assert.equal((await cairn(inOther, "backup:restore-all", second)).code, 0);
    assert.deepEqual(inBucket(other), expected);
    assert.equal(existsSync(join(CAIRN_DATA, ".system", "backups")), false);
    // What the old site had goes, from the bucket and from the disk.
    const left = join(CAIRN_DATA, ".system/backups/schemas/old/old-20200101-000000.json");
    mkdirSync(dirname(left), { recursive: true });
    writeFileSync(left, "{}");
    const place = join(other.folder, "site/.system/backups/schemas/older");
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `older-20200101-000000.json${ending}`), "{}");
    assert.equal((await cairn(inOther, "backup:restore-all", second, "--force")).code, 0);
    assert.deepEqual([inBucket(other), existsSync(left)], [expected, false]);
    const { stdout } = await cairn(inOther, "backup:list", "--json");
    assert.deepEqual(
      JSON.parse(stdout)
        .map(({ file }: { file: string }) => file)
        .sort(),
      expected,
    );
  } finally {
    await other.close();
  }
});
