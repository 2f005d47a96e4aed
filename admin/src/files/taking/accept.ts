// What the browser's file chooser offers first. Pure.

import type { JsonObject } from "@contract/json.ts";
import { readUploadRules } from "@rules/upload-rules.ts";

/** The types that a field takes; undefined: any. */
export function acceptOf(settings: JsonObject): string | undefined {
  for (const rule of readUploadRules(settings))
    if (rule.rule === "filetype" && "any" in rule) return rule.any.join(",");
  return undefined;
}
