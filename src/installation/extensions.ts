// Extensions of the service. This version has none; their routes exist, for administrators.

import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";

export function listExtensions(ctx: Context): JsonObject[] {
  allow(ctx, "read", { kind: "extensions" });
  return [];
}

/** For every operation. */
export function findNoExtension(ctx: Context, operation: Operation, id: string): never {
  allow(ctx, operation, { kind: "extensions" });
  return fail("not-found", `There is no extension "${id}".`);
}
