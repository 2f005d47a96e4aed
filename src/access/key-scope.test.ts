import assert from "node:assert/strict";
import { test } from "node:test";
import { isWithin, keyAllows, keyScope, normalizeEndpoint } from "./key-scope.ts";

const blogKey = keyScope(["GET", "PATCH"], ["/collections/blog", "/report"]);

test("KEY-6 a key opens its methods only, and HEAD counts as GET", () => {
  assert.equal(keyAllows(blogKey, "GET", "/api/collections/blog"), true);
  assert.equal(keyAllows(blogKey, "HEAD", "/api/collections/blog"), true);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""])
    assert.equal(keyAllows(blogKey, method, "/api/collections/blog"), false, method);
});

test("KEY-7 an endpoint covers everything below it, with and without /api and under the objects alias", () => {
  for (const path of [
    "/api/collections/blog",
    "/api/collections/blog/",
    "/api/collections/blog/hello/title",
    "/collections/blog/hello",
    "/api/objects/blog/hello",
    "/objects/blog",
    "/api/collections/blog?limit=1",
    "/api/report/collections/pages/csv",
  ])
    assert.equal(keyAllows(blogKey, "GET", path), true, path);
});

test("KEY-7 segments are compared whole and in their case (T67)", () => {
  for (const path of [
    "/api/collections",
    "/api/collections/blogger",
    "/api/collections/blog-2/x",
    "/api/collections/Blog",
    "/api/Collections/blog",
    "/API/collections/blog",
    "/api/api/collections/blog",
    "/api/collections/blog;x",
    "/api/reports/collections/blog/csv",
    "/api/import/collections/blog",
    "/api/export/collections/blog",
    "/api/schemas/blog",
    "/",
    "",
  ])
    assert.equal(keyAllows(blogKey, "GET", path), false, path);
});

test("KEY-8 a path that can be read in two ways opens nothing (T67)", () => {
  for (const path of [
    "/api/collections/blog/../pages",
    "/api/collections/blog/./x",
    "/api/collections/blog/%2e%2e/pages",
    "/api/collections/blog/%2E%2E%2Fpages",
    "/api/collections/blog%2Fhello",
    "/api/collections%2fblog",
    "/api/collections/blog%5c..%5cpages",
    "/api/collections/blog\\..\\pages",
    "/api/collections/blog/%00",
    "/api/collections/blog/%zz",
    "/api/collections/blog/%c0%af",
  ])
    assert.equal(keyAllows(blogKey, "GET", path), false, path);
});

test("KEY-8 a path is decoded once, like the router does (T67)", () => {
  assert.equal(keyAllows(blogKey, "GET", "/api/collections/%62log/x"), true);
  assert.equal(keyAllows(blogKey, "GET", "/api/collections/%2562log/x"), false);
  assert.equal(keyAllows(blogKey, "GET", "//api//collections//blog"), true);
});

test("KEY-9 the star opens every endpoint for the key's methods", () => {
  const key = keyScope(["POST"], ["/mcp", "*"]);
  assert.equal(keyAllows(key, "POST", "/api/anything/at/all"), true);
  assert.equal(keyAllows(key, "GET", "/api/anything/at/all"), false);
});

test("KEY-9 a damaged record opens nothing", () => {
  for (const endpoints of [[], [""], ["/"], ["/api"], ["/.."]])
    assert.equal(keyAllows(keyScope(["GET"], endpoints), "GET", "/api/collections"), false, JSON.stringify(endpoints));
});

test("KEY-4 endpoints are kept without /api, under their main name", () => {
  const kept: [string, string][] = [
    ["*", "*"],
    [" /collections ", "/collections"],
    ["/api/collections/blog/", "/collections/blog"],
    ["/objects/blog", "/collections/blog"],
    ["/import/jumpstart", "/import/jumpstart"],
    ["/sync", "/sync"],
    ["/automations/hook", "/automations/hook"],
    ["/api/automations", "/automations-admin"],
    ["/automations-admin", "/automations-admin"],
  ];
  for (const [given, expected] of kept) assert.equal(normalizeEndpoint(given), expected, given);
});

test("KEY-4 a path that is not an endpoint is refused", () => {
  for (const endpoint of [
    "",
    "/",
    "/api",
    "collections",
    "/nonsense",
    "/keys",
    "/setup",
    "/collections/*",
    "/collections/../schemas",
    "/collections//blog",
    "/collections/%62log",
    "/collections?x=1",
    "/api/api/collections",
    "/Collections",
    "**",
  ])
    assert.equal(normalizeEndpoint(endpoint), undefined, endpoint);
});

test("KEY-17 a scope is within another when that opens at least as much", () => {
  const all = keyScope(["GET", "POST"], ["*"]);
  const blog = keyScope(["GET"], ["/collections/blog"]);
  assert.ok(isWithin(blog, all) && isWithin(all, all) && isWithin(blog, blog));
  assert.ok(isWithin(blog, keyScope(["GET", "POST"], ["/schemas", "/collections"])));
  for (const [methods, endpoints] of [
    [["GET"], ["*"]],
    [["GET", "PUT"], ["/collections/blog"]],
    [["GET"], ["/collections"]],
    [["GET"], ["/collections/blog", "/schemas"]],
    [["GET"], ["/collections/blogger"]],
  ] as const)
    assert.ok(!isWithin(keyScope(methods, endpoints), blog), `${methods} ${endpoints}`);
});

test("KEY-22 webhooks and administration of automations are two endpoints", () => {
  const hooks = keyScope(["POST"], ["/automations"]);
  assert.equal(keyAllows(hooks, "POST", "/automations/hook"), true);
  assert.equal(keyAllows(hooks, "POST", "/api/automations/hook/run"), false);
  const byHand = keyScope(["POST"], ["/automations-admin"]);
  assert.equal(keyAllows(byHand, "POST", "/automations/hook"), false);
  assert.equal(keyAllows(byHand, "POST", "/api/automations/hook/run"), true);
});

test("KEY-25 a published key is within an open one, and not the other way round", () => {
  const open = keyScope(["GET"], ["*"]);
  const published = keyScope(["GET"], ["*"], true);
  assert.ok(isWithin(published, open) && isWithin(published, published));
  assert.ok(!isWithin(open, published));
});
