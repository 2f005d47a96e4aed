import assert from "node:assert/strict";
import { test } from "node:test";
import { compareRoutes } from "./check-admin-routes.ts";

const document = { paths: { "/api/things/{thing}": { get: {}, patch: {} } } };

test("a route that the server lacks is named; names of parameters do not count", () => {
  assert.deepEqual(compareRoutes({ thing: "GET /api/things/{id}" }, document), []);
  assert.match(compareRoutes({ thing: "POST /api/things/{id}" }, document)[0] ?? "", /no POST \/api\/things/);
  assert.match(compareRoutes({ thing: "GET /api/thing" }, document)[0] ?? "", /no GET \/api\/thing$/);
});

test("a route has one name", () => {
  const twice = { one: "GET /api/things/{id}", two: "GET /api/things/{id}" };
  assert.match(compareRoutes(twice, document)[0] ?? "", /two: .* has the name one/);
});
