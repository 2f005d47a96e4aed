import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJsonInPieces } from "./json-pieces.ts";

const refused = { name: "CairnError", status: 400, word: "malformed-json" };
const noLimits = { values: 1e9, keys: 1e9, names: 1e9 };
/** In pieces of at least so many bytes: the smaller they are, the more is put together. */
const sizes = [1, 2, 7, 40, 65_536];
const read = (text: string | Buffer, size: number) => parseJsonInPieces(Buffer.from(text), noLimits, size);

/** The same numbers each time. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function randomValue(random: (below: number) => number, depth: number): unknown {
  const texts = ["", "a", 'say "no"', "back\\slash\\", "ü 😀 漢", "[1,{", '\\",', "\u0000"];
  const kind = random(depth > 5 ? 4 : 8);
  if (kind === 0) return texts[random(texts.length)];
  if (kind === 1) return random(1_000) / 8;
  if (kind === 2) return [true, false, null][random(3)];
  if (kind === 3) return [[], {}][random(2)];
  const members = Array.from({ length: random(6) }, (_, at) => [`${texts[random(texts.length)]}${at}`, at] as const);
  if (kind < 6) return members.map(() => randomValue(random, depth + 1));
  return Object.fromEntries(members.map(([name]) => [name, randomValue(random, depth + 1)]));
}

test("BOUND-10 what is read in pieces is what JSON.parse reads, wherever it is divided", async () => {
  const random = createRandom(7);
  for (let round = 0; round < 150; round += 1) {
    const value = randomValue(random, 0);
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 1)])
      for (const size of sizes) assert.deepEqual(await read(text, size), JSON.parse(text), `${size}: ${text}`);
  }
});

test("BOUND-10 broken text is refused, wherever it is divided", async () => {
  const random = createRandom(11);
  const isRead = (text: string) => {
    try {
      return { value: JSON.parse(text) };
    } catch {
      return undefined;
    }
  };
  for (let round = 0; round < 300; round += 1) {
    const whole = JSON.stringify(randomValue(random, 0));
    const at = random(whole.length);
    const changed = [
      whole.slice(0, at) + whole.slice(at + 1),
      whole.slice(0, at) + '[]{},:"'[random(7)] + whole.slice(at),
    ];
    for (const text of changed.filter((one) => one.isWellFormed())) {
      const known = isRead(text);
      for (const size of sizes) {
        if (known) assert.deepEqual(await read(text, size), known.value, text);
        else await assert.rejects(read(text, size), refused, `${size}: ${text}`);
      }
    }
  }
});

for (const [what, text] of [
  ["nothing", ""],
  ["a trailing comma", "[1,2,3,]"],
  ["a missing member", "[1,,2]"],
  ["a trailing comma of an object", '{"a":1,"b":2,}'],
  ["two values", "1,2"],
  ["a byte order mark", "\ufeff{}"],
  ["65 levels", "[".repeat(65) + "]".repeat(65)],
  ["100,000 levels", "[".repeat(100_000) + "]".repeat(100_000)],
  ["a number beyond range", '{"a":[1,1e400]}'],
  ["a lone surrogate", '["a","\\ud800"]'],
  ["__proto__", '{"a":1,"__proto__":{"polluted":1},"b":2}'],
  ["a nested constructor", '{"a":[{"constructor":{"prototype":1}}]}'],
] as const)
  test(`BOUND-10 HTTP-21 ${what} is refused in pieces too`, async () => {
    for (const size of sizes) await assert.rejects(read(text, size), refused);
  });

test("BOUND-10 HTTP-21 bytes that are not UTF-8 are refused in pieces too", async () => {
  for (const size of sizes)
    await assert.rejects(read(Buffer.from([0x5b, 0x31, 0x2c, 0x22, 0xc3, 0x28, 0x22, 0x5d]), size), refused);
});

test("BOUND-10 64 levels are read, and duplicate keys keep the last value", async () => {
  const deep = `${"[1,".repeat(64)}1${"]".repeat(64)}`;
  for (const size of sizes) {
    assert.deepEqual(await read(deep, size), JSON.parse(deep));
    assert.deepEqual(await read('{"a":1,"b":[1,2,3],"a":2}', size), { a: 2, b: [1, 2, 3] });
  }
});

test("BOUND-10 a definition has limits of its own, and the error names them", async () => {
  const limits = { values: 100, keys: 20, names: 10 };
  const parse = (value: unknown) => parseJsonInPieces(Buffer.from(JSON.stringify(value)), limits);
  const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
  assert.ok(await parse(many(90, () => 1)));
  await assert.rejects(parse(many(101, () => 1)), /more than 100 values: send it in parts/);
  await assert.rejects(parse(many(21, () => ({ a: 1 }))), /more than 20 keys/);
  await assert.rejects(parse(Object.fromEntries(many(11, (at) => [`k${at}`, 1]))), /more than 10 different keys/);
  await assert.rejects(parse("x".repeat(16_777_217)), /longer than 16777216 bytes/);
});
