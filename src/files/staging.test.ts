import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";
import { openDisk } from "./disk.ts";
import type { Staging } from "./port.ts";
import { openStaging } from "./staging.ts";

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

let dataDir: string;
let staging: Staging;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "cairn-staging-"));
  folders.push(dataDir);
  staging = await openStaging(dataDir);
});
afterEach(() => staging.close());

async function* bytes(...parts: (string | Error)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
const left = () => readdir(staging.folder);

describe("staging", () => {
  test("FILE-16 a staged file has its size and SHA-256, and is not visible outside", async () => {
    const staged = await staging.receive(bytes("hel", "lo"), 5);
    assert.deepEqual([staged.size, staged.digest], [5, sha256("hello")]);
    assert.equal(await readFile(staged.path, "utf8"), "hello");
    assert.deepEqual(await readdir(dataDir), [".system"]);
    await staging.discard(staged);
    await staging.discard(staged);
    assert.deepEqual(await left(), []);
  });

  test("FILE-16 a file made by a program is adopted", async () => {
    const path = staging.path("jpg");
    assert.ok(path.endsWith(".jpg"));
    await writeFile(path, "made");
    assert.deepEqual(await staging.adopt(path), { path, size: 4, digest: sha256("made") });
  });

  test("FILE-17 over the limit, and when the source breaks off, nothing is left", async () => {
    await assert.rejects(staging.receive(bytes("12345", "6"), 5), { word: "too-large" });
    await assert.rejects(staging.receive(bytes("12345", new Error("gone")), 50), /gone/);
    assert.deepEqual(await left(), []);
  });

  test("FILE-18 (F4) a crash between receiving and publishing leaves nothing visible, and the sweep takes the rest", async () => {
    const script = `
      import { openStaging } from ${JSON.stringify(join(import.meta.dirname, "staging.ts"))};
      const staging = await openStaging(${JSON.stringify(dataDir)});
      async function* source() { yield Buffer.alloc(100_000, "x"); if (process.argv[1] === "half") process.kill(process.pid, "SIGKILL"); }
      await staging.receive(source(), 1e9);
      process.kill(process.pid, "SIGKILL");`;
    const run = (mode: string) => promisify(execFile)(process.execPath, ["--input-type=module", "-e", script, mode]);
    await assert.rejects(run("half"), { signal: "SIGKILL" });
    await assert.rejects(run("whole"), { signal: "SIGKILL" });
    assert.ok((await left()).length > 0);
    const files = await openDisk(dataDir);
    for await (const { key } of files.list("blog")) assert.fail(key);
    assert.deepEqual(await readdir(dataDir), [".system"]);
    assert.equal(await staging.sweep(), 0);
    for (const name of await left()) await utimes(join(staging.folder, name), hours(2), hours(2));
    const again = await openStaging(dataDir);
    assert.deepEqual(await left(), []);
    await again.close();
  });

  test("FILE-18 (T46) the sweep keeps fresh files and parts of uploads", async () => {
    await mkdir(join(staging.folder, "upload.parts"));
    await utimes(join(staging.folder, "upload.parts"), hours(2), hours(2));
    const old = await staging.receive(bytes("old"), 10);
    await utimes(old.path, hours(2), hours(2));
    const fresh = await staging.receive(bytes("fresh"), 10);
    await mkdir(join(staging.folder, "deleted-by-a-crash"));
    await utimes(join(staging.folder, "deleted-by-a-crash"), hours(2), hours(2));
    assert.equal(await staging.sweep(), 2);
    assert.equal((await left()).length, 2);
    await staging.discard(fresh);
    assert.deepEqual(await left(), ["upload.parts"]);
  });
});
