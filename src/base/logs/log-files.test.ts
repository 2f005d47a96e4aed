import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { type ReadBack, readBack } from "./log-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-log-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const paths = () => ["log", "log.1", "log.2"].map((name) => join(folder, name));
const line = (number: number) => `${number} ${"é".repeat(number % 300)}`;
const textOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `${line(from + at)}\n`).join("");
const numbers = async (options?: ReadBack) =>
  (await lines(options)).map(({ text }) => Number(text.slice(0, text.indexOf(" "))));
const lines = async (options?: ReadBack) =>
  (await Array.fromAsync(readBack(paths(), options))).flatMap((piece) => piece.lines);

test("ADM-845 lines come newest first over all files, whole, in pieces", async () => {
  const [now = "", before = "", oldest = ""] = paths();
  writeFileSync(oldest, textOf(0, 1_000));
  writeFileSync(before, textOf(1_000, 2_000));
  writeFileSync(now, `${textOf(2_000, 2_100)}cut off`);
  const all = await lines();
  assert.equal(all[0]?.text, "cut off");
  assert.deepEqual(
    all.slice(1).map(({ text }) => text),
    Array.from({ length: 2_100 }, (_, at) => line(2_099 - at)),
  );
  const pieces = await Array.fromAsync(readBack(paths()));
  assert.ok(pieces.length > 10 && pieces.every(({ bytes }) => bytes <= 65_536));
});

test("ADM-845 from every place reading goes on without gaps or repeats, also after a rotation", async () => {
  const [now = "", before = "", oldest = ""] = paths();
  writeFileSync(before, textOf(0, 700));
  writeFileSync(now, textOf(700, 1_400));
  const all = await lines();
  const ends = (await Array.fromAsync(readBack(paths()))).map(({ place }) => place);
  renameSync(before, oldest);
  renameSync(now, before);
  appendFileSync(now, textOf(1_400, 1_500));
  for (const place of [...ends, ...all.filter((_, at) => at % 97 === 0).map((one) => one.place)]) {
    const rest = await lines({ before: place });
    assert.deepEqual(rest, rest.length === 0 ? [] : all.slice(-rest.length));
  }
  const middle = all[500];
  assert.deepEqual(await lines({ before: middle?.place }), all.slice(501));
  assert.deepEqual(await numbers({ before: `${"0".repeat(16)}.5` }), []);
});

test("ADM-845 files that are passed over are not read, and a line without end costs only itself", async () => {
  const [now = "", before = ""] = paths();
  writeFileSync(before, `1 old\n${"x".repeat(3_000_000)}\n2 old\n`);
  writeFileSync(now, "3 new\n");
  assert.deepEqual(
    await numbers({ skips: (first) => first.endsWith("new") }).then((all) => all.filter(Number.isInteger)),
    [2, 1],
  );
});
