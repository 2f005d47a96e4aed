// Chunks on a real store and database: what completes an upload, for whom, and what is left of it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import { takeLease } from "#storage/tables/leases.ts";
import { addChunk, type Chunk } from "./chunks.ts";

let ctx: Context;
let close: () => Promise<void>;
before(async () => {
  ({ ctx, close } = await openTestContext());
});
after(() => close());

async function* bytes(...parts: (string | Error)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

let uploads = 0;
/** Of an upload of its own: takes three chunks unless told otherwise. */
function adder(upload = `upload${++uploads}`) {
  return (index: number, text: string, more: Partial<Chunk> = {}) =>
    addChunk(ctx, { upload, index, total: 3, source: bytes(text), maxBytes: 100, ...more });
}

const read = async (whole: Awaited<ReturnType<typeof addChunk>>) =>
  whole === undefined ? undefined : readFile(whole.staged.path, "utf8");
const left = () => readdir(ctx.staging.folder);

test("FILE-19 chunks become one file when the last one is in, and nothing is left of them", async () => {
  const add = adder();
  assert.equal(await add(0, "one "), undefined);
  assert.equal(await add(1, "two "), undefined);
  const whole = await add(2, "three");
  assert.equal(await read(whole), "one two three");
  assert.equal(whole?.staged.digest, createHash("sha256").update("one two three").digest("hex"));
  await whole?.drop();
  await ctx.staging.discard(whole?.staged ?? { path: "" });
  assert.deepEqual(await left(), []);
  assert.deepEqual(await ctx.storage.all("SELECT * FROM upload_parts"), []);
});

test("FILE-19 chunks come in any order and more than once; the last one sent counts", async () => {
  const add = adder();
  await add(1, "TWO longer ");
  await add(1, "two ");
  await add(0, "one ");
  await add(0, "ONE ");
  const whole = await add(2, "three");
  assert.equal(await read(whole), "ONE two three");
  await whole?.drop();
});

test("FILE-20 (T44) the last index with gaps names them; the chunks stay, and the gap completes the upload", async () => {
  const add = adder();
  await add(1, "two ");
  await assert.rejects(add(2, "three"), { word: "invalid", message: "Chunks are missing: 0." });
  const whole = await add(0, "one ");
  assert.equal(await read(whole), "one two three");
  await whole?.drop();
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
] as const)
  test(`FILE-20 (T44) chunk ${index} of ${total} is refused, and nothing is kept`, async () => {
    const before = await left();
    await assert.rejects(adder()(index, "x", { total }), { word: "invalid" });
    assert.deepEqual(await left(), before);
  });

test("FILE-20 (T44) the number of chunks is fixed by the first, also when two of them are the first", async () => {
  const add = adder();
  await add(0, "one ");
  await assert.rejects(add(1, "two", { total: 2 }), { word: "invalid" });
  await assert.rejects(add(1, "two", { total: 4 }), { word: "invalid" });
  await add(1, "two ");
  await (await add(2, "three"))?.drop();
  const both = adder();
  const answers = await Promise.allSettled([both(0, "a", { total: 2 }), both(0, "a", { total: 4 })]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
});

test("FILE-20 (T44) the sum of all chunks is held under the limit, and a repeated one counts once", async () => {
  const add = adder();
  const maxBytes = 10;
  await add(0, "1234", { maxBytes });
  await add(0, "1234", { maxBytes });
  await add(1, "1234", { maxBytes });
  await assert.rejects(add(2, "123", { maxBytes }), { word: "too-large" });
  const whole = await add(2, "12", { maxBytes });
  assert.equal(await read(whole), "1234123412");
  await whole?.drop();
  const atOnce = adder();
  const answers = await Promise.allSettled([0, 1, 2].map((index) => atOnce(index, "1234", { maxBytes })));
  assert.ok(answers.some((answer) => answer.status === "rejected" && answer.reason.word === "too-large"));
});

test("FILE-21 chunks sent all at once complete the upload for exactly one of them", async () => {
  for (let round = 0; round < 10; round++) {
    const add = adder();
    const answers = await Promise.allSettled([0, 1, 2].map((index) => add(index, `${index}`)));
    const whole = answers.flatMap((answer) => (answer.status === "fulfilled" && answer.value ? [answer.value] : []));
    assert.equal(whole.length, 1, `round ${round}`);
    assert.equal(await read(whole[0]), "012");
    await whole[0]?.drop();
  }
});

test("FILE-22 a chunk that comes while the upload is saved waits: undefined when it is, the whole when it is not", async () => {
  const add = adder();
  await add(0, "one ");
  await add(1, "two ");
  const first = await add(2, "three");
  let isAnswered = false;
  const again = add(2, "THREE").finally(() => {
    isAnswered = true;
  });
  await sleep(300);
  assert.equal(isAnswered, false);
  await first?.release();
  const second = await again;
  assert.equal(await read(second), "one two THREE");
  const late = add(1, "late");
  await second?.drop();
  assert.equal(await late, undefined);
});

test("FILE-22 a chunk that the store has lost is missing again", async () => {
  const add = adder("lost");
  await add(1, "two ");
  await add(0, "one ");
  const folder = join(ctx.staging.folder, "lost.parts");
  const alone = (await readdir(folder)).filter((name) => name.startsWith("part"));
  await writeFile(join(folder, alone[0] as string), "t");
  await assert.rejects(add(2, "three"), { message: "Chunks are missing: 1." });
  const whole = await add(1, "two ");
  assert.equal(await read(whole), "one two three");
  await whole?.drop();
});

test("FILE-22 (F5) killed while it puts the chunks together, the upload completes when one comes again", async () => {
  const add = adder("killed");
  await add(0, "one ");
  await add(1, "two ");
  const script = `
    import { addChunk } from ${JSON.stringify(join(import.meta.dirname, "chunks.ts"))};
    import { openTestContext } from ${JSON.stringify(join(import.meta.dirname, "..", "..", "context.fixture.ts"))};
    const { ctx } = await openTestContext(${JSON.stringify(ctx.settings.dataDir)});
    async function* source() { yield Buffer.from("three"); }
    const chunk = { upload: "killed", index: 2, total: 3, source: source(), maxBytes: 100 };
    if (await addChunk(ctx, chunk)) process.kill(process.pid, "SIGKILL");`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  await assert.rejects(run, { signal: "SIGKILL" });
  const whole = await add(2, "three");
  assert.equal(await read(whole), "one two three");
  await whole?.drop();
});

test("FILE-22 a hold of another machine is believed until its lease is over", async () => {
  const add = adder("foreign");
  await add(0, "one ");
  await add(1, "two ");
  const owner = JSON.stringify({ machine: "another", pid: 1, run: "x" });
  const leaseEnd = Date.now() + 600;
  const leaseUntil = new Date(leaseEnd).toISOString();
  await ctx.storage.write((tx) => takeLease(tx, "foreign", { owner, leaseUntil }));
  const whole = await add(2, "three");
  assert.ok(Date.now() >= leaseEnd);
  assert.equal(await read(whole), "one two three");
  await whole?.drop();
});

test("FILE-22 a chunk that breaks off is not kept", async () => {
  const add = adder();
  await assert.rejects(add(0, "", { source: bytes("half", new Error("gone")) }), /gone/);
  await assert.rejects(add(2, "three"), /missing: 0, 1/);
});
