import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError, type ErrorDetails } from "#base/errors.ts";
import type { Json } from "#contract/json.ts";
import { checkGroup } from "./group-rules.ts";
import { noPermissions } from "./permissions.ts";

function detailsOf(body: Json, id?: string): ErrorDetails {
  try {
    checkGroup(body, id);
  } catch (error) {
    if (error instanceof CairnError && error.status === 400) return error.details ?? {};
    throw error;
  }
  return {};
}

test("GRP-46 parts left out grant nothing", () => {
  assert.deepEqual(checkGroup({ id: "a" }), { id: "a", description: "", permissions: noPermissions });
  const { permissions } = checkGroup({ permissions: { collections: { all: true }, docs: true } }, "a");
  assert.deepEqual(permissions.collections, { operations: [], all: true, allowed: [] });
  assert.deepEqual({ ...permissions, collections: noPermissions.collections, docs: false }, noPermissions);
});

test("GRP-45 lists are kept in one form", () => {
  const collections = { operations: ["delete", "read", "read"], all: false, allowed: ["b", "a", "b"] };
  const { permissions, description } = checkGroup({ id: "a", description: " x ", permissions: { collections } });
  assert.deepEqual(permissions.collections, { operations: ["read", "delete"], all: false, allowed: ["b", "a"] });
  assert.equal(description, "x");
});

test("GRP-45 everything wrong with a group is named at once, by its dotted name", () => {
  const body = {
    id: "A b",
    description: 5,
    owner: "me",
    permissions: {
      collections: { operations: ["read", "publish"], all: "yes", allowed: "blog", deny: [] },
      schemas: true,
      mailer: 1,
      utils: { operations: [] },
      templates: true,
    },
  };
  assert.deepEqual(Object.keys(detailsOf(body)).sort(), [
    "description",
    "id",
    "owner",
    "permissions.collections.all",
    "permissions.collections.allowed",
    "permissions.collections.deny",
    "permissions.collections.operations",
    "permissions.mailer",
    "permissions.schemas",
    "permissions.templates",
    "permissions.utils.operations",
  ]);
});

test("GRP-45 lists and texts have bounds, and null is no value", () => {
  const named = (allowed: Json) => detailsOf({ id: "a", permissions: { collections: { allowed } } });
  assert.deepEqual(named(Array(1_000).fill("x")), {});
  for (const allowed of [Array(1_001).fill("x"), ["x".repeat(201)], [""], [7], null, {}])
    assert.deepEqual(Object.keys(named(allowed)), ["permissions.collections.allowed"]);
  assert.ok(detailsOf({ id: "a", description: "x".repeat(1_001) }).description);
  for (const permissions of [null, [], "all", true]) assert.ok(detailsOf({ id: "a", permissions }).permissions);
});

test("GRP-41, ADM-48 an id is 1 to 64 lower-case letters, digits and hyphens, and begins with no hyphen", () => {
  for (const id of ["a", "a-1", "0", "x".repeat(64)]) assert.deepEqual(detailsOf({ id }), {});
  for (const id of ["", "A", "a b", "a_b", "ä", "x".repeat(65), "a\n", "-a", "-", 5, null, ["a"]])
    assert.ok(detailsOf({ id }).id, JSON.stringify(id));
  assert.ok(detailsOf({}).id);
});

test("GRP-42 an id that is sent must be the one in the path", () => {
  assert.equal(checkGroup({}, "a").id, "a");
  assert.equal(checkGroup({ id: "a" }, "a").id, "a");
  assert.ok(detailsOf({ id: "b" }, "a").id);
});

test("GRP-44 the group admin cannot be redefined", () => {
  assert.ok(detailsOf({ id: "admin" }).id);
  assert.ok(detailsOf({}, "admin").id);
  for (const body of [null, 5, "x", []]) assert.throws(() => checkGroup(body), { status: 400 });
});
