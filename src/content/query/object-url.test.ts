import assert from "node:assert/strict";
import { test } from "node:test";
import { objectUrl } from "./object-url.ts";

const at = (url: string, prettyUrl = false) =>
  objectUrl({ url, prettyUrl }, { id: "first-stone", title: "Über Alles!", year: 2026, tags: ["a"] });

test("MCT-13 the address of an object follows the collection's URL pattern", () => {
  assert.equal(at(""), "");
  assert.equal(at("/news"), "/news?id=first-stone");
  assert.equal(at("/news/", true), "/news/first-stone");
  assert.equal(at("/news/{id}"), "/news/first-stone");
  assert.equal(at("/{year}/{{ title }}/{id}"), "/2026/uber-alles/first-stone");
  assert.equal(at("/{{ title | raw }}/"), "/%C3%9Cber%20Alles!/first-stone");
  assert.equal(at("/{{title|upper}}/{id}"), "/UBER-ALLES/first-stone");
  assert.equal(at("/{tags}/{missing}/x/{id}"), "///x/first-stone");
});
