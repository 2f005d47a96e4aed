// The address of a file, folder or depot, as requests about its protection name it.

import { fail } from "#base/errors.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { readFolder } from "#files/file-names.ts";
import type { FileRef } from "#schemas/values/resolve-file.ts";

/** From `collection`, `id` and `path` of a body or a query. */
export function readFileRef(sent: Json): FileRef {
  const fields = isJsonObject(sent) ? sent : {};
  const path = readFolder(textOf("path"));
  return { collection: textOf("collection"), id: textOf("id"), path };

  function textOf(name: string): string {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value;
    return fail("invalid", `The field "${name}" is missing.`, { [name]: ["must be text"] });
  }
}
