import assert from "node:assert/strict";
import { test } from "node:test";
import { pageAddress } from "./page-address.ts";

const object = { id: "a-1", title: "Old Stones & Maps", date: "2026", name: "Über" };

test("patterns are filled as the server fills them", () => {
  assert.equal(pageAddress("/blog/{id}", object), "/blog/a-1");
  assert.equal(pageAddress("/blog/{{ title | upper }}/{id}", object), "/blog/OLD-STONES-MAPS/a-1");
  assert.equal(pageAddress("/blog?id={id}", object), "/blog?id=a-1");
  assert.equal(pageAddress("/{title|raw}/{id}", object), "/Old%20Stones%20%26%20Maps/a-1");
});

test("what only the server knows is left to it", () => {
  assert.equal(pageAddress("", object), undefined);
  assert.equal(pageAddress("/blog/{name}/{id}", object), undefined);
  assert.equal(pageAddress("/blog/{gone}/{id}", object), undefined);
});
