// Extensions of the service. This version has none; the doors to them are there, for administrators.

import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";

export function listExtensions(ctx: Context): JsonObject[] {
  allow(ctx, "read", { kind: "extensions" });
  return [];
}

/** Whatever is to be done with one. */
export function findNoExtension(ctx: Context, operation: Operation, id: string): never {
  allow(ctx, operation, { kind: "extensions" });
  return fail("not-found", `There is no extension "${id}".`);
}
