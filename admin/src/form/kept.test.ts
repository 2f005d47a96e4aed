import assert from "node:assert/strict";
import { test } from "node:test";
import { forget, type KeptChanges, keep, listKept } from "./kept.ts";

/** As a browser's, with room for so many characters. */
function storageOf(room = Number.POSITIVE_INFINITY) {
  const entries = new Map<string, string>();
  return {
    get length() {
      return entries.size;
    },
    key: (at: number) => [...entries.keys()][at] ?? null,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem(key: string, value: string) {
      const used = [...entries].reduce((sum, [other, text]) => sum + (other === key ? 0 : text.length), 0);
      if (used + value.length > room) throw new DOMException("full", "QuotaExceededError");
      entries.set(key, value);
    },
    removeItem: (key: string) => void entries.delete(key),
  };
}

const now = Date.parse("2027-03-03T12:00:00Z");
const place = { user: "ada", collection: "blog", id: "a:b" };
const kept = (at: string, title = "A"): KeptChanges => ({
  at,
  etag: '"1"',
  title,
  changes: { title },
  base: { title: "" },
});

test("ADM-226 changes are kept under user, collection, object and form, newest first", () => {
  const storage = storageOf();
  keep(storage, place, "f1", kept("2027-03-03T10:00:00Z", "old"));
  keep(storage, place, "f2", kept("2027-03-03T11:00:00Z", "new"));
  keep(storage, { ...place, user: "mia" }, "f3", kept("2027-03-03T11:30:00Z"));
  keep(storage, { ...place, id: "other" }, "f4", kept("2027-03-03T09:00:00Z"));
  assert.deepEqual(
    listKept(storage, now, place).map(({ form, changes }) => [form, changes.title]),
    [
      ["f2", "new"],
      ["f1", "old"],
    ],
  );
  assert.equal(listKept(storage, now, { user: "ada" }).length, 3);
  forget(storage, place, "f2");
  assert.deepEqual(
    listKept(storage, now, place).map(({ form }) => form),
    ["f1"],
  );
});

test("ADM-226 after 30 days they are gone, and so is what cannot be read", () => {
  const storage = storageOf();
  keep(storage, place, "f1", kept("2027-01-31T12:00:00Z"));
  storage.setItem("cairn:kept:ada:blog:x:f2", "{");
  storage.setItem("other", "stays");
  assert.deepEqual(listKept(storage, now, { user: "ada" }), []);
  assert.equal(storage.length, 1);
});

test("ADM-226 a full storage drops the oldest; when nothing helps it says so", () => {
  const text = JSON.stringify(kept("2027-03-03T10:00:00Z")).length;
  const storage = storageOf(text * 2);
  assert.ok(keep(storage, place, "f1", kept("2027-03-03T10:00:00Z")));
  assert.ok(keep(storage, place, "f2", kept("2027-03-03T11:00:00Z")));
  assert.ok(keep(storage, place, "f3", kept("2027-03-03T11:30:00Z")));
  assert.deepEqual(
    listKept(storage, now, place).map(({ form }) => form),
    ["f3", "f2"],
  );
  assert.equal(keep(storageOf(10), place, "f1", kept("2027-03-03T10:00:00Z")), false);
});
