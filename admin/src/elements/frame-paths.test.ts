import { equal } from "node:assert/strict";
import { test } from "node:test";
import { framePath } from "./frame-paths.ts";

const part = { extension: "acme/map", collections: { places: ["read" as const, "update" as const] } };

test("XADM-6 a framed element reaches the routes of its extension and declared collections alone", () => {
  const reaches = (path: string, method = "GET") => framePath(part, path, method) !== undefined;
  equal(framePath(part, "/api/ext/acme/map/near/1?x=2", "POST"), "/api/ext/acme/map/near/1?x=2");
  equal(reaches("/api/collections/places"), true);
  equal(reaches("/api/collections/places/query?limit=1"), true);
  equal(reaches("/api/collections/places/one", "PATCH"), true);
  for (const [path, method] of [
    ["/api/collections/places", "POST"],
    ["/api/collections/places/one", "DELETE"],
    ["/api/collections/places/settings", "PATCH"],
    ["/api/collections/other"],
    ["/api/collections/auth"],
    ["/api/ext/acme/other/near"],
    ["/api/ext/acme/map/../other/near"],
    ["/api/ext/acme/map/%2e%2e/other/near"],
    ["/api/ext/acme/map/..%2fother/near"],
    ["/api/ext/acme/map\\..\\other"],
    ["https://evil.example/api/ext/acme/map/near"],
    ["//evil.example/api/ext/acme/map/near"],
    ["/api/admin"],
  ] as const)
    equal(reaches(path, method), false, path);
  const all = { extension: "acme/map", collections: { "*": ["read" as const] } };
  equal(framePath(all, "/api/collections/other", "GET"), "/api/collections/other");
  equal(framePath(all, "/api/collections/auth", "GET"), undefined);
  equal(framePath(all, "/api/collections/automations/x", "GET"), undefined);
});
