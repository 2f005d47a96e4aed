import assert from "node:assert/strict";
import { test } from "node:test";
import { hostKey } from "./host-names.ts";

test("AHOST-2 spellings of a host have one key", () => {
  for (const [text, expected] of [
    ["cms.example.org", "cms.example.org"],
    ["CMS.Example.ORG", "cms.example.org"],
    ["cms.example.org.", "cms.example.org"],
    ["cms.example.org:80", "cms.example.org"],
    ["cms.example.org:443", "cms.example.org"],
    ["cms.example.org.:8443", "cms.example.org:8443"],
    ["localhost:8080", "localhost:8080"],
    ["[::1]", "[::1]"],
    ["[0:0:0:0:0:0:0:1]:8080", "[::1]:8080"],
    ["127.1", "127.0.0.1"],
    ["xn--mller-kva.example", "xn--mller-kva.example"],
  ] as const)
    assert.equal(hostKey(text), expected, text);
});

test("AHOST-2 what is no host has no key", () => {
  for (const text of [
    ...["", ".", ":80", "a b", "a/b", "https://a.b", "a@b", "a:b", "a:99999", "a:1:2", "*.a.b", "[::1", "a,b", "::1"],
    ...["a%2eb", "a\\b", "a?b", "a#b", "x".repeat(400)],
  ])
    assert.equal(hostKey(text), undefined, text);
});
