// Users are objects of the collection `auth`; this makes them, the first one under its own rule.

import { allow } from "#access/allow.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { hasObjects } from "#storage/slices.ts";
import { createObject, type ObjectAnswer } from "./objects.ts";

export interface NewUser {
  id?: string;
  email: string;
  password: string;
  groups: string[];
  name?: string;
}

const usersCollection = "auth";
const firstUserId = "admin";

/** The first user of an installation is called `admin` unless an id is given. */
export async function createUser(ctx: Context, user: NewUser): Promise<ObjectAnswer> {
  allow(ctx, "create", { kind: "objects", collection: usersCollection, publicOperations: [] });
  const id = user.id ?? ((await hasUsers(ctx)) ? undefined : firstUserId);
  return createObject(ctx, usersCollection, userBody({ ...user, ...(id !== undefined && { id }) }));
}

/** Refused as soon as there is any user, however many ask at the same moment: exactly one wins. */
export async function createFirstAdmin(ctx: Context, user: Omit<NewUser, "groups">): Promise<ObjectAnswer> {
  allow(ctx, "create", { kind: "objects", collection: usersCollection, publicOperations: [] });
  const body = userBody({ ...user, id: user.id ?? firstUserId, groups: ["admin"] });
  return createObject(ctx, usersCollection, body, { mustBeFirst: true });
}

export function hasUsers(app: Pick<App, "storage">): Promise<boolean> {
  return hasObjects(app.storage, usersCollection);
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
