// Users are objects of the collection `auth`; this makes them, the first one under its own rule, and is what the
// command line manages them by. What holds for every write to a user is user-rules.ts.

import { usersCollection } from "#access/accounts.ts";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { createObject, deleteObject, patchObject } from "#content/objects/objects.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import type { App, Context } from "#context.ts";
import { adminGroup } from "#contract/access-groups.ts";
import type { JsonObject } from "#contract/json.ts";
import { hasObjects } from "#storage/tables/object-batches.ts";
import { iterateObjects } from "#storage/tables/objects.ts";

export interface NewUser {
  id?: string;
  email: string;
  password: string;
  groups: string[];
  name?: string;
}

const firstAdminId = "admin";

/** The first user of an installation, if an administrator, gets the id `admin` unless another one is given. */
export async function createUser(ctx: Context, user: NewUser): Promise<ObjectAnswer> {
  allow(ctx, "create", { kind: "objects", collection: usersCollection, publicOperations: [] });
  const isFirstAdmin = user.groups.includes(adminGroup) && !(await hasUsers(ctx));
  const id = user.id ?? (isFirstAdmin ? firstAdminId : undefined);
  return createObject(ctx, usersCollection, userBody({ ...user, ...(id !== undefined && { id }) }));
}

/** Refused as soon as there is any user. Of several callers at the same moment exactly one succeeds. */
export async function createFirstAdmin(ctx: Context, user: Omit<NewUser, "groups">): Promise<ObjectAnswer> {
  allow(ctx, "create", { kind: "objects", collection: usersCollection, publicOperations: [] });
  const body = userBody({ ...user, id: user.id ?? firstAdminId, groups: [adminGroup] });
  const created = await createObject(ctx, usersCollection, body, { refusalUnlessFirst: "Setup is already complete." });
  audit(ctx, { type: "setup.completed", user: created.id });
  return created;
}

export function hasUsers(app: Pick<App, "storage">): Promise<boolean> {
  return hasObjects(app.storage, usersCollection);
}

/** All of them, in order of id. */
export async function* listUsers(ctx: Context): AsyncIterable<JsonObject> {
  const { schema } = await openCollection(ctx, "read", usersCollection);
  for await (const rows of iterateObjects(ctx.storage, usersCollection, 500)) {
    for (const row of rows) yield storedDocument(ctx, schema, row);
  }
}

export function patchUser(ctx: Context, id: string, body: JsonObject): Promise<ObjectAnswer> {
  return patchObject(ctx, usersCollection, id, { body });
}

export function deleteUser(ctx: Context, id: string): Promise<void> {
  return deleteObject(ctx, usersCollection, id);
}

function userBody({ id, name, email, password, groups }: NewUser): JsonObject {
  const details: ErrorDetails = {};
  if (!email) details.email = ["is required"];
  if (!password) details.password = ["is required"];
  if (Object.keys(details).length > 0) fail("validation-failed", undefined, details);
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    email,
    password,
    groups,
    active: true,
  };
}
