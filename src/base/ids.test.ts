import assert from "node:assert/strict";
import { test } from "node:test";
import { isObjectId, slug, uid, uuid } from "./ids.ts";

const vectors: [string, string][] = [
  ["Café & Résumé", "cafe-resume"],
  ["contact@email.com", "contact-at-email-com"],
  ["hello_world_test", "hello_world_test"],
  ["Multiple...Dots", "multiple-dots"],
  ["https://example.com/page", "https-example-com-page"],
  ["---", ""],
  ["_", "_"],
  ["  Hello,   World! ", "hello-world"],
  ["Привет мир", "privet-mir"],
  ["Straße 12", "strasse-12"],
  ["../../etc/passwd", "etc-passwd"],
  ["@", "at"],
  ["", ""],
];

for (const [text, expected] of vectors) {
  test(`FLD-1 the slug of ${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () => {
    assert.equal(slug(text), expected);
    assert.equal(slug(slug(text)), expected);
  });
}

test("FLD-1 a slug may use underscores between words", () => {
  assert.equal(slug("Find Old Posts", "_"), "find_old_posts");
});

test("FLD-1 isObjectId accepts slugs of 1 to 200 characters only", () => {
  for (const id of ["a", "a-b", "_", "a_b-2", "x".repeat(200)]) assert.equal(isObjectId(id), true, id);
  for (const id of ["", "-a", "a-", "a--b", "A", "a.b", "a/b", "é", "x".repeat(201), "a\n"])
    assert.equal(isObjectId(id), false, id);
});

test("FLD-2 generated ids have the asked length, the right alphabet, and differ", () => {
  const made = new Set(Array.from({ length: 1000 }, () => uid(12)));
  assert.equal(made.size, 1000);
  for (const id of made) assert.match(id, /^[0-9a-z]{12}$/);
  assert.equal(uid(7).length, 7);
  assert.match(uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
