import assert from "node:assert/strict";
import { test } from "node:test";
import { BadQuery, parseAddressQuery, parseQuery, writeQuery } from "./query-string.ts";

const plain = (text: string) => JSON.parse(JSON.stringify(parseQuery(text)));

test("HTTP-10 plain, repeated, list and nested parameters are read", () => {
  assert.deepEqual(plain("a=1&b=x+y%26z&b=2&fields[]=t&filter[p]=v&filter[n][gte]=3&flag"), {
    a: "1",
    b: ["x y&z", "2"],
    fields: ["t"],
    filter: { p: "v", n: { gte: "3" } },
    flag: "",
  });
});

test("HTTP-10 brackets may be percent-encoded", () => {
  assert.deepEqual(plain("filter%5Bp%5D%5Bop%5D=v"), { filter: { p: { op: "v" } } });
});

test("HTTP-10 the result inherits nothing", () => {
  for (const query of [parseQuery("filter[a]=1"), parseQuery("filter[a]=1").filter, parseAddressQuery("")]) {
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      assert.equal((query as Record<string, unknown>)[name], undefined, name);
    }
  }
});

test("HTTP-10 cached queries cannot be changed; secrets are not cached", () => {
  const text = "fields[]=t&filter[n][gte]=3&flag";
  const query = parseAddressQuery(text);
  for (const part of [query, query.fields, query.filter, (query.filter as typeof query).n])
    assert.throws(() => Object.assign(part as object, { extra: "1" }), TypeError);
  assert.equal(parseAddressQuery(text), query);
  for (const text of ["api_key=k", "a=1&pwd=x"]) assert.notEqual(parseAddressQuery(text), parseAddressQuery(text));
  assert.ok(parseAddressQuery("a=%zz") instanceof BadQuery);
});

for (const [what, text] of [
  ["__proto__", "filter[__proto__][polluted]=1"],
  ["__proto__ at the top", "__proto__=1"],
  ["constructor", "constructor[prototype][x]=1"],
  ["four levels", "a[b][c][d]=1"],
  ["201 parameters", Array.from({ length: 201 }, (_, i) => `p${i}=1`).join("&")],
  ["17,000 characters", `a=${"x".repeat(17_000)}`],
  ["bad percent-encoding", "a=%zz"],
  ["half a percent-encoded character", "a=%e2%82"],
  ["NUL", "a=%00"],
  ["one name as value and as group", "filter=1&filter[a]=2"],
] as const)
  test(`HTTP-11 ${what} is a bad query (T9)`, () => {
    assert.ok(parseQuery(text) instanceof BadQuery);
  });

test("HTTP-32 parameters can be written back with some replaced", () => {
  const query = parseQuery("limit=5&filter[a b][in]=x%26y&tags=1&tags=2&api_key=secret");
  assert.equal(
    writeQuery(query, { limit: "10", offset: "20", api_key: undefined }),
    "filter[a%20b][in]=x%26y&tags=1&tags=2&limit=10&offset=20",
  );
});
