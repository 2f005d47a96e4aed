// One optional switch in the body of a request.

import { fail } from "#base/errors.ts";
import { isJsonObject, type Json } from "#contract/json.ts";

/** False without it. */
export function readFlag(body: Json, name: string): boolean {
  if (!isJsonObject(body)) return fail("invalid", "The body must be a JSON object.");
  const value = body[name] ?? false;
  if (typeof value === "boolean") return value;
  return fail("validation-failed", undefined, { [name]: ["must be true or false"] });
}
