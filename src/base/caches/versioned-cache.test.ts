import assert from "node:assert/strict";
import { test } from "node:test";
import { defineKind } from "./kinds.ts";
import { createVersionedEntries, createVersionedMap, createVersionedValue } from "./versioned-cache.ts";

interface Source {
  version(scope: string): number;
}

/** A source whose versions a test moves by hand. */
function createSource(): Source & { move(scope: string): void } {
  const versions = new Map<string, number>();
  return {
    version: (scope) => versions.get(scope) ?? 0,
    move: (scope) => void versions.set(scope, (versions.get(scope) ?? 0) + 1),
  };
}

interface Value {
  n: number;
}

const ofKeys = (source: Source) => source.version("keys");
const value = createVersionedValue<Source, Value>(ofKeys);
const room = { kind: defineKind({ name: "tried", about: "For tests." }), capacity: 100, unit: 1 };
const map = createVersionedMap<Source, Value>(ofKeys, room);
const entries = createVersionedEntries<Source, string, Value>(
  (source, scope) => source.version(scope),
  room,
  () => 1,
);

type Get = <R extends Value | undefined | Promise<Value | undefined>>(source: Source, load: () => R) => R | Awaited<R>;

/** One way to ask each of them. */
const caches: [name: string, get: Get][] = [
  ["value", value.get],
  ["map", (source, load) => map.get(source, "a", load)],
  [
    "entries",
    <R>(source: Source, load: () => R) =>
      (entries.find(source, "keys", "a") as Awaited<R>) ?? entries.load(source, "keys", "a", load as () => never),
  ],
];

for (const [name, get] of caches) {
  test(`STO-100 ${name}: a value is kept until the version of its scope moves`, async () => {
    const source = createSource();
    let loads = 0;
    const load = async () => {
      loads += 1;
      return { n: loads };
    };
    assert.deepEqual(await get(source, load), { n: 1 });
    assert.deepEqual(get(source, load), { n: 1 });
    source.move("groups");
    assert.deepEqual(get(source, load), { n: 1 });
    source.move("keys");
    assert.deepEqual(await get(source, load), { n: 2 });
    assert.deepEqual(get(source, load), { n: 2 });
  });

  test(`STO-100 ${name}: a value is not kept when the version moves while it is loaded`, async () => {
    const source = createSource();
    const stale = get(source, async () => {
      await Promise.resolve();
      source.move("keys");
      return { n: 1 };
    });
    assert.deepEqual(await stale, { n: 1 });
    assert.deepEqual(await get(source, async () => ({ n: 2 })), { n: 2 });
    // An older load that ends last does not replace a newer value.
    source.move("keys");
    const slow = Promise.withResolvers<{ n: number }>();
    const older = get(source, () => slow.promise);
    source.move("keys");
    assert.deepEqual(await get(source, async () => ({ n: 4 })), { n: 4 });
    slow.resolve({ n: 3 });
    assert.deepEqual(await older, { n: 3 });
    assert.deepEqual(
      get(source, async () => ({ n: 5 })),
      { n: 4 },
    );
  });

  test(`STO-100 ${name}: missing and failing values are loaded again`, async () => {
    const source = createSource();
    assert.equal(await get(source, async () => undefined), undefined);
    assert.equal(
      get(source, () => undefined),
      undefined,
    );
    await assert.rejects(async () => get(source, async () => assert.fail("no database")));
    assert.deepEqual(
      get(source, () => ({ n: 1 })),
      { n: 1 },
    );
    assert.deepEqual(
      get(source, () => ({ n: 2 })),
      { n: 1 },
    );
  });

  test(`STO-100 ${name}: nothing is kept while the versions cannot be trusted`, async () => {
    // As on a shared database whose notices are lost: the version is different each time.
    let calls = 0;
    const source = {
      version() {
        calls += 1;
        return calls;
      },
    };
    assert.deepEqual(await get(source, async () => ({ n: 1 })), { n: 1 });
    assert.deepEqual(await get(source, async () => ({ n: 2 })), { n: 2 });
  });

  test(`STO-100 ${name}: each storage has values of its own`, () => {
    const [one, other] = [createSource(), createSource()];
    get(one, () => ({ n: 1 }));
    get(other, () => ({ n: 2 }));
    assert.deepEqual(
      get(one, () => ({ n: 3 })),
      { n: 1 },
    );
  });
}

test("STO-100 a value can be found without loading it, and forgotten", () => {
  const source = createSource();
  assert.equal(value.find(source), undefined);
  value.get(source, () => ({ n: 1 }));
  assert.deepEqual(value.find(source), { n: 1 });
  value.forget(source);
  assert.equal(value.find(source), undefined);
  entries.load(source, "keys", "a", () => ({ n: 1 }));
  assert.deepEqual(entries.find(source, "keys", "a"), { n: 1 });
  source.move("keys");
  assert.equal(entries.find(source, "keys", "a"), undefined);
  entries.load(source, "keys", "a", () => ({ n: 2 }));
  entries.forget(source, "a");
  assert.equal(entries.find(source, "keys", "a"), undefined);
});

test("STO-100 the cache is bounded, and a map is emptied when its version moves", () => {
  const source = createSource();
  const small = createVersionedMap<Source, Value>(ofKeys, { ...room, capacity: 10 });
  let loads = 0;
  const ask = (key: string) =>
    small.get(source, key, () => {
      loads += 1;
      return { n: loads };
    });
  for (let n = 0; n < 100; n += 1) ask(String(n));
  ask("99");
  assert.equal(loads, 100);
  ask("0");
  assert.equal(loads, 101);
  const large = createVersionedEntries<Source, string, Value>(ofKeys, { ...room, capacity: 10 }, ({ n }) => n);
  large.load(source, "keys", "large", () => ({ n: 11 }));
  assert.equal(large.find(source, "keys", "large"), undefined);
});
