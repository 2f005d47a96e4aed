import assert from "node:assert/strict";
import { test } from "node:test";
import { type Operation, operations } from "#contract/collections.ts";
import type { Actor } from "./actor.ts";
import { allow, isAllowed } from "./allow.ts";
import { limitsOf } from "./key-limits.ts";
import { keyScope } from "./key-scope.ts";
import type { Subject } from "./subject.ts";

function key(endpoints: string, isPublished = false): Actor {
  return { kind: "key", id: "k", name: "k", limits: limitsOf(keyScope(["GET"], endpoints.split(","), isPublished)) };
}

function granted(actor: Actor, subject: Subject): readonly Operation[] {
  return operations.filter((operation) => isAllowed(actor, operation, subject));
}

function reached(endpoints: string, isPublished = false): string[] {
  return ["blog", "news", "auth", "automations", "dataviews"].filter((collection) => {
    const actor = key(endpoints, isPublished);
    const ofObjects = granted(actor, { kind: "objects", collection, publicOperations: [] });
    const ofSettings = granted(actor, { kind: "collections", collection });
    assert.deepEqual(isPublished && ofSettings.length > 0 ? operations : ofSettings, ofObjects, collection);
    return ofObjects.length > 0;
  });
}

test("KEY-19, KEY-20 a limited key reaches what its endpoints name; none names all guarded collections", () => {
  const content = ["blog", "news"];
  const expected: [string, string[]][] = [
    ["/collections", content],
    ["/mcp", content],
    ["/import", content],
    ["/import/collections", content],
    ["/import/jumpstart", content],
    ["/report", content],
    ["/export", content],
    ["/download", content],
    ["/collections/blog", ["blog"]],
    ["/collections/blog/one/title", ["blog"]],
    ["/import/collections/news", ["news"]],
    ["/report/collections/news", ["news"]],
    ["/imageworks/blog", ["blog"]],
    ["/download/upload/blog", ["blog"]],
    ["/collections/auth", ["auth"]],
    ["/import/collections/automations", ["automations"]],
    ["/collections,/collections/auth", [...content, "auth"]],
    ["/dataviews", ["dataviews"]],
    ["/sync", [...content, "automations", "dataviews"]],
    ["/automations", []],
    ["/automations-admin", []],
    ["/import/schemas", []],
    ["/schemas,/templates,/settings,/cache,/metrics,/extensions", []],
  ];
  for (const [endpoints, collections] of expected) assert.deepEqual(reached(endpoints), collections, endpoints);
});

test("KEY-18, KEY-22 operations that make an administrator are closed to limited keys, whatever their endpoints", () => {
  const all = "/collections,/import,/export,/mcp,/schemas,/sync,/settings,/templates,/automations,/dataviews,/cache";
  for (const kind of ["keys", "groups", "users", "oauth", "backups", "audit", "jobs", "webhooks", "runs"] as const) {
    assert.deepEqual(granted(key(all), { kind }), [], kind);
    assert.throws(() => allow({ actor: key(all) }, "read", { kind }), { status: 401 });
  }
  assert.deepEqual(granted(key("/automations-admin"), { kind: "runs" }), operations);
  assert.deepEqual(granted(key("/collections"), { kind: "settings" }), []);
  assert.deepEqual(granted(key("/settings"), { kind: "settings" }), operations);
  assert.deepEqual(granted(key("/collections"), { kind: "sync" }), []);
  assert.equal(limitsOf(keyScope(["GET"], ["/mcp", "*"])), undefined);
});

test("KEY-25 a published key is limited by nature: it reads definitions and writes objects", () => {
  assert.deepEqual(reached("*", true), ["blog", "news"]);
  const actor = key("*", true);
  for (const kind of ["settings", "sync", "keys", "groups", "runs", "oauth", "backups"] as const)
    assert.deepEqual(granted(actor, { kind }), [], kind);
  for (const kind of ["collections", "schemas", "templates"] as const)
    assert.deepEqual(granted(actor, { kind }), ["read"]);
});
