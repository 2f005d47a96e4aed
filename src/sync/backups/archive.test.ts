import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { removeUnfinished } from "#base/temporary-files.ts";
import { createArchive, openArchive, readLines } from "./archive.ts";
import { readAll } from "./format.ts";

async function* chunksOf(...chunks: (string | Uint8Array)[]): AsyncIterable<string | Uint8Array> {
  yield* chunks;
}

const folder = await mkdtemp(join(tmpdir(), "cairn-archive-"));

test("BAK-7 entries of all kinds come back as they were, with a check of their bytes in front of each", async () => {
  const random = crypto.getRandomValues(new Uint8Array(60_000));
  const parts = new Map<string, Uint8Array>([
    ["empty", Buffer.alloc(0)],
    ["small.json", Buffer.from("{}")],
    ["folder/grüße.txt", Buffer.from("ü".repeat(3_000))],
    ["large.txt", Buffer.from("all alike ".repeat(300_000))],
    ["packed.bin", Buffer.concat(Array.from({ length: 60 }, () => random))],
  ]);
  const file = join(folder, "all.zip");
  const archive = await createArchive(file);
  for (const [name, bytes] of parts) {
    const half = Math.floor(bytes.length / 2);
    const chunks = chunksOf(bytes.subarray(0, half), bytes.subarray(half));
    const { size } = await archive.add(name, chunks, { isPacked: name.endsWith(".bin") });
    assert.equal(size, bytes.length);
  }
  await archive.finish();
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.ok((await stat(file)).size < 3_800_000);
  const reader = await openArchive(file);
  assert.deepEqual(reader.names(), [...parts.keys()]);
  for (const [name, bytes] of parts)
    assert.deepEqual(Buffer.from(await readAll(reader.read(name))), Buffer.from(bytes));
  reader.close();
  const written = await readFile(file);
  for (const [name, bytes] of parts) {
    const header = written.indexOf(name) - 30;
    assert.equal(written.readUInt32LE(header), 0x04034b50);
    assert.equal(written.readUInt32LE(header + 14), crc32(bytes));
    assert.equal(written.readBigUInt64LE(header + 34 + Buffer.byteLength(name)), BigInt(bytes.length));
  }
});

test("BAK-7 the time that an entry takes does not grow with those before it", async () => {
  const file = join(folder, "many.zip");
  const archive = await createArchive(file);
  const took: number[] = [];
  // Of work, which does not depend on who else has some.
  const worked = () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000;
  for (let part = 0; part < 2; part += 1) {
    const started = worked();
    for (let n = 0; n < 10_000; n += 1) await archive.add(`${part}/${n}.json`, chunksOf(`{"n":${n}}`));
    took.push(worked() - started);
  }
  await archive.finish();
  const [first = 0, second = 0] = took;
  assert.ok(second < first * 3 + 200, `${first} ms, then ${second} ms`);
  const reader = await openArchive(file);
  assert.equal(reader.names().length, 20_000);
  for await (const line of readLines<{ n: number }>(reader.read("1/9999.json"))) assert.equal(line.n, 9_999);
  reader.close();
});

test("BAK-11 whichever byte is changed, a reader comes to an end", async () => {
  const file = join(folder, "changed.zip");
  const archive = await createArchive(file);
  await archive.add("a.json", chunksOf('{"a":1}'));
  await archive.finish();
  const bytes = await readFile(file);
  let refused = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = (bytes[at] as number) ^ 0xff;
    await writeFile(file, bytes);
    bytes[at] = (bytes[at] as number) ^ 0xff;
    try {
      const reader = await openArchive(file);
      for (const name of reader.names()) await readAll(reader.read(name));
      reader.close();
    } catch {
      refused += 1;
    }
  }
  assert.ok(refused > bytes.length / 2);
});

test("BAK-5 an archive that cannot be finished leaves nothing", async () => {
  const archive = await createArchive(join(folder, "broken.zip"));
  async function* broken(): AsyncIterable<string> {
    yield "x".repeat(100_000);
    throw new Error("the source is gone");
  }
  await assert.rejects(archive.add("a", broken()), /the source is gone/);
  await archive.abandon();
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith("broken")),
    [],
  );
});

test("CLI-14 an archive that is cut short by a signal is gone", async () => {
  const file = join(folder, "cut.zip");
  const archive = await createArchive(file);
  await archive.add("a", chunksOf("x"));
  assert.ok((await readdir(folder)).includes("cut.zip.part"));
  removeUnfinished();
  assert.ok(!(await readdir(folder)).includes("cut.zip.part"));
  await archive.abandon();
});
