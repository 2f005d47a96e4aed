import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permissions } from "#contract/access-groups.ts";
import { type Operation, operations } from "#contract/collections.ts";
import { type Actor, anonymous, system } from "./actor.ts";
import { allow, isAllowed } from "./allow.ts";
import { noPermissions } from "./permissions.ts";
import type { Subject } from "./subject.ts";

const key: Actor = { kind: "key", id: "k", name: "key", limits: undefined };

function user(parts: Partial<Permissions> = {}, more: { id?: string; isAdmin?: boolean } = {}): Actor {
  return { kind: "user", id: "ann", isAdmin: false, permissions: [{ ...noPermissions, ...parts }], ...more };
}

function objects(collection: string, publicOperations: Operation[] = [], id?: string): Subject {
  return { kind: "objects", collection, publicOperations, id };
}

const everySubject: Subject[] = [
  objects("blog"),
  objects("auth"),
  objects("automations"),
  { kind: "collections" },
  { kind: "collections", collection: "auth" },
  { kind: "schemas", schema: "blog" },
  { kind: "util", util: "cache" },
  { kind: "settings" },
  { kind: "keys" },
  { kind: "groups" },
  { kind: "users" },
  { kind: "metrics" },
];

function granted(actor: Actor, subject: Subject): Operation[] {
  return operations.filter((operation) => isAllowed(actor, operation, subject));
}

test("GRP-1 the command line, a key and a user of the group admin may do everything", () => {
  for (const actor of [system, key, user({}, { isAdmin: true })])
    for (const subject of everySubject) assert.deepEqual(granted(actor, subject), operations, JSON.stringify(subject));
});

test("GRP-2 everything not granted is refused: 401 without credentials, 403 with them", () => {
  for (const subject of everySubject) {
    for (const operation of operations) {
      assert.throws(() => allow({ actor: anonymous }, operation, subject), { status: 401 });
      assert.throws(() => allow({ actor: user() }, operation, subject), { status: 403 });
    }
  }
});

test("GRP-3 a collection's public operations are open to everybody, and open nothing else", () => {
  for (const actor of [anonymous, user()]) {
    assert.deepEqual(granted(actor, objects("blog", ["read"])), ["read"]);
    assert.deepEqual(granted(actor, objects("blog", ["create", "delete"])), ["create", "delete"]);
  }
  const reader = user({ collections: { operations: ["read"], all: false, allowed: ["blog"] } });
  assert.deepEqual(granted(reader, objects("blog", ["create"])), ["create", "read"]);
});

test("GRP-4 users and automations stay closed, whatever their public operations say, and prompts are only read", () => {
  const everything = user({ collections: { operations: [...operations], all: true, allowed: [] } });
  for (const collection of ["auth", "automations"])
    for (const actor of [anonymous, user(), everything])
      assert.deepEqual(granted(actor, objects(collection, [...operations])), []);
  assert.deepEqual(granted(everything, objects("mcp-prompt", [...operations])), ["read"]);
  assert.deepEqual(granted(key, objects("mcp-prompt")), operations);
});

test("GRP-5 a user may read and update the own record, and only that one", () => {
  assert.deepEqual(granted(user(), objects("auth", [], "ann")), ["read", "update"]);
  assert.deepEqual(granted(user(), objects("auth", [], "bob")), []);
  assert.deepEqual(granted(user(), objects("auth")), []);
  assert.deepEqual(granted(user(), objects("blog", [], "ann")), []);
  assert.deepEqual(granted(anonymous, objects("auth", [], "ann")), []);
});

test("GRP-6 an admin who acts as a user has that user's rights and no others", () => {
  const guest: Actor = { kind: "user", id: "ann", isAdmin: false, permissions: [], impersonator: "root" };
  for (const subject of everySubject) assert.deepEqual(granted(guest, subject), []);
});
