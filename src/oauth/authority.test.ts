import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserActor } from "#access/actor.ts";
import { noPermissions } from "#access/permissions.ts";
import type { Permissions } from "#contract/access-groups.ts";
import type { Scope } from "#contract/scopes.ts";
import { issuableScopes } from "./authority.ts";

const asked: Scope[] = ["cms:read", "cms:admin", "mcp:tools"];
const user = (permissions: Partial<Permissions>[], isAdmin = false): UserActor => ({
  ...{ kind: "user", id: "ada", isAdmin },
  permissions: permissions.map((some) => ({ ...noPermissions, ...some })),
});

test("OAU-35 administering takes the admin group, or one right over schemas, collections or utilities", () => {
  const one = { operations: ["read" as const], all: false, allowed: ["blog"] };
  const may = [
    user([], true),
    user([{ schemas: one }]),
    user([{}, { collectionsMeta: { ...one, all: true, allowed: [] } }]),
    user([{ utils: { all: false, allowed: ["jumpstart"] } }]),
  ];
  for (const who of may) assert.deepEqual(issuableScopes(asked, who), asked);
  const mayNot = [
    user([]),
    user([{ collections: { ...one, all: true } }]),
    user([{ schemas: { operations: [], all: true, allowed: [] } }]),
    user([{ schemas: { operations: ["read"], all: false, allowed: [] } }]),
    user([{ settings: { all: true, allowed: [] }, mailer: true }]),
  ];
  for (const who of mayNot) assert.deepEqual(issuableScopes(asked, who), ["cms:read", "mcp:tools"]);
});
