import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";
import { addChunk, type Chunk, dropChunks, releaseChunks } from "./chunks.ts";
import { openDisk } from "./disk.ts";
import type { Staging } from "./port.ts";
import { openStaging, sweepFolder } from "./staging.ts";

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
  test("FILE-16 what is received has its size and SHA-256, and nobody sees it outside", async () => {
    const staged = await staging.receive(bytes("hel", "lo"), 5);
    assert.deepEqual([staged.size, staged.digest], [5, sha256("hello")]);
    assert.equal(await readFile(staged.path, "utf8"), "hello");
    assert.deepEqual(await readdir(dataDir), [".system"]);
    await staging.discard(staged);
    await staging.discard(staged);
    assert.deepEqual(await left(), []);
  });

  test("FILE-16 what a program has made is adopted", async () => {
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

  test("FILE-18 (T46) the sweep keeps what is fresh, and parts of a chunked upload for a day", async () => {
    await addChunk(staging, { key: "up", index: 0, total: 2, source: bytes("part"), maxBytes: 100 });
    const old = await staging.receive(bytes("old"), 10);
    await utimes(old.path, hours(2), hours(2));
    const fresh = await staging.receive(bytes("fresh"), 10);
    await mkdir(join(staging.folder, "deleted-by-a-crash"));
    await utimes(join(staging.folder, "deleted-by-a-crash"), hours(2), hours(2));
    assert.equal(await staging.sweep(), 2);
    assert.equal((await left()).length, 2);
    await staging.discard(fresh);
    assert.equal(await sweepFolder(staging.folder, Date.now() + 23 * 3_600_000), 0);
    assert.equal(await sweepFolder(staging.folder, Date.now() + 25 * 3_600_000), 1);
    assert.deepEqual(await left(), []);
  });
});

describe("chunks", () => {
  const add = (index: number, text: string, more: Partial<Chunk> = {}) =>
    addChunk(staging, { key: "upload", index, total: 3, source: bytes(text), maxBytes: 100, ...more });

  test("FILE-19 parts become one file when the last one is in", async () => {
    assert.deepEqual(await add(0, "one "), { state: "partial" });
    assert.deepEqual(await add(1, "two "), { state: "partial" });
    const answer = await add(2, "three");
    assert.ok(answer.state === "complete");
    assert.equal(await readFile(answer.staged.path, "utf8"), "one two three");
    assert.equal(answer.staged.digest, sha256("one two three"));
    await dropChunks(staging, "upload");
    await staging.discard(answer.staged);
    assert.deepEqual(await left(), []);
  });

  test("FILE-22 an upload that could not be saved for now is complete again when a part comes once more", async () => {
    await add(0, "one ");
    await add(1, "two ");
    const first = await add(2, "three");
    assert.ok(first.state === "complete");
    assert.deepEqual(await add(2, "three"), { state: "partial" });
    await releaseChunks(staging, "upload");
    const second = await add(2, "three");
    assert.ok(second.state === "complete");
    assert.equal(await readFile(second.staged.path, "utf8"), "one two three");
  });

  test("FILE-19 parts come in any order and more than once; the last one sent counts", async () => {
    await add(1, "TWO longer ");
    await add(1, "two ");
    await add(0, "one ");
    await assert.rejects(add(2, "three", { key: "other" }), { word: "invalid" });
    const answer = await add(2, "three");
    assert.ok(answer.state === "complete");
    assert.equal(await readFile(answer.staged.path, "utf8"), "one two three");
  });

  test("FILE-20 (T44) the last index with gaps names them; the parts stay, and the gap completes the upload", async () => {
    await add(1, "two ");
    await assert.rejects(add(2, "three"), (error: { word: string; message: string }) => {
      assert.equal(error.word, "invalid");
      assert.match(error.message, /\b0\b/);
      assert.doesNotMatch(error.message, /\b1\b/);
      return true;
    });
    const answer = await add(0, "one ");
    assert.ok(answer.state === "complete");
    assert.equal(await readFile(answer.staged.path, "utf8"), "one two three");
  });

  for (const [index, total] of [
    [-1, 3],
    [3, 3],
    [0, 0],
    [0, 10_001],
    [0, 1e9],
    [0.5, 3],
    [Number.NaN, 3],
    [0, Number.NaN],
  ] as const) {
    test(`FILE-20 (T44) chunk ${index} of ${total} is refused, and nothing is kept`, async () => {
      await assert.rejects(add(index, "x", { total }), { word: "invalid" });
      assert.deepEqual(await left(), []);
    });
  }

  test("FILE-20 (T44) the number of chunks is fixed by the first", async () => {
    await add(0, "one ");
    await assert.rejects(add(1, "two", { total: 2 }), { word: "invalid" });
    await assert.rejects(add(1, "two", { total: 4 }), { word: "invalid" });
    await add(1, "two ");
    assert.equal((await add(2, "three")).state, "complete");
  });

  test("FILE-20 (T44) the sum of all parts is held under the limit, and a repeated part counts once", async () => {
    const maxBytes = 10;
    await add(0, "1234", { maxBytes });
    await add(0, "1234", { maxBytes });
    await add(1, "1234", { maxBytes });
    await assert.rejects(add(2, "123", { maxBytes }), { word: "too-large" });
    assert.equal((await add(2, "12", { maxBytes })).state, "complete");
  });

  test("FILE-21 (T45) uploads with other keys do not mix, and a key is never a path", async () => {
    for (const key of ["ada/photo.jpg", "bob/photo.jpg", "../../../outside", "/etc/x", "a\u0000b"]) {
      await add(0, `${key} `, { key });
      await add(1, "two ", { key });
    }
    for (const key of ["ada/photo.jpg", "bob/photo.jpg", "../../../outside", "/etc/x", "a\u0000b"]) {
      const answer = await add(2, "three", { key });
      assert.ok(answer.state === "complete");
      assert.equal(await readFile(answer.staged.path, "utf8"), `${key} two three`);
    }
    assert.deepEqual(await readdir(dataDir), [".system"]);
    assert.deepEqual(await readdir(join(dataDir, ".system")), ["uploads"]);
  });

  test("FILE-21 parts sent all at once complete for exactly one of them", async () => {
    for (let round = 0; round < 10; round++) {
      const key = `round ${round}`;
      const answers = await Promise.allSettled([0, 1, 2].map((index) => add(index, `${index}`, { key })));
      const complete = answers.filter(({ status, ...rest }) => {
        const { value } = rest as { value?: { state: string } };
        return status === "fulfilled" && value?.state === "complete";
      });
      assert.equal(complete.length, 1, `round ${round}`);
      await dropChunks(staging, key);
    }
  });

  test("FILE-22 (F5) killed while it puts the parts together, the upload completes when one part comes again", async () => {
    await add(0, "one ");
    await add(1, "two ");
    const script = `
      import { openStaging } from ${JSON.stringify(join(import.meta.dirname, "staging.ts"))};
      import { addChunk } from ${JSON.stringify(join(import.meta.dirname, "chunks.ts"))};
      const staging = await openStaging(${JSON.stringify(dataDir)});
      async function* source() { yield Buffer.from("three"); }
      const chunk = { key: "upload", index: 2, total: 3, source: source(), maxBytes: 100 };
      const answer = await addChunk(staging, chunk);
      if (answer.state === "complete") process.kill(process.pid, "SIGKILL");`;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    await assert.rejects(run, { signal: "SIGKILL" });
    const answer = await add(2, "three");
    assert.ok(answer.state === "complete");
    assert.equal(await readFile(answer.staged.path, "utf8"), "one two three");
  });

  test("FILE-22 a part that breaks off is not kept", async () => {
    await assert.rejects(add(0, "", { source: bytes("half", new Error("gone")) }), /gone/);
    await assert.rejects(add(2, "three"), /missing: 0, 1/);
  });
});
