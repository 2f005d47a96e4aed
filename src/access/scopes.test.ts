import assert from "node:assert/strict";
import { test } from "node:test";
import { neededScope } from "./scopes.ts";

test("TOK-20 reading content takes cms:read, changing it cms:write, by every address of an object", () => {
  for (const root of ["/api/collections", "/api/objects", "/collections"]) {
    for (const route of [root, `${root}/:collection`, `${root}/:collection/:id/:property/*`]) {
      for (const method of ["GET", "HEAD"]) assert.equal(neededScope(method, route), "cms:read", `${method} ${route}`);
      for (const method of ["POST", "PUT", "PATCH", "DELETE"])
        assert.equal(neededScope(method, route), "cms:write", `${method} ${route}`);
    }
  }
});

test("TOK-21 reports and served files take cms:read, whatever the method, and have no other", () => {
  assert.equal(neededScope("GET", "/api/report/collections/:collection/csv"), "cms:read");
  assert.equal(neededScope("POST", "/api/report/collections/:collection/csv"), undefined);
  assert.equal(neededScope("GET", "/stream/:collection/:id/:property"), "cms:read");
  assert.equal(neededScope("GET", "/imageworks/*"), "cms:read");
  assert.equal(neededScope("POST", "/download/:collection/:id/:property"), "cms:read");
});

test("TOK-22 schemas, cache and extensions take cms:admin for every method", () => {
  for (const route of ["/api/schemas", "/api/schemas/:id", "/api/cache/images/all", "/api/extensions"])
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
      assert.equal(neededScope(method, route), "cms:admin", `${method} ${route}`);
});

test("TOK-23 no scope opens anything else", () => {
  for (const route of [
    ...["/", "", "/api", "/api/apikeys", "/api/settings/:section", "/api/access-groups", "/api/oauth-clients"],
    ...["/api/auth/session", "/api/passkeys", "/api/import/collections/:collection/json", "/api/export/collections/:c"],
    ...["/api/upload/:collection/:id/:property", "/api/collectionsx", "/collectionsx", "/api/schemas-x", "/metrics"],
  ])
    for (const method of ["GET", "POST", "DELETE"]) assert.equal(neededScope(method, route), undefined, route);
});
