// Directives of a content policy that somebody else writes: nothing in them can begin another directive or header.

import type { Json, JsonObject } from "#contract/json.ts";

/** The sources as text; undefined: the value is none. Null and false leave the directive out. */
export function policySources(value: Json | undefined): string | null | undefined {
  if (value === null || value === false) return null;
  if (value === true) return "";
  const text = Array.isArray(value) && value.every((source) => typeof source === "string") ? value.join(" ") : value;
  return typeof text === "string" && /^[\x20-\x2b\x2d-\x3a\x3c-\x7e]*$/.test(text) ? text : undefined;
}

export function isDirective(name: string): boolean {
  return /^[a-z][a-z-]{0,40}$/.test(name);
}

/** Messages by directive. */
export function findBadDirectives(policy: JsonObject): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(policy)) {
    if (!isDirective(name)) problems[name] = ["is not the name of a directive, such as img-src"];
    else if (policySources(value) === undefined)
      problems[name] = ["must be sources as text or a list, without , and ;"];
  }
  return problems;
}
