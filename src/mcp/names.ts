// The names of tools: the site's prefix before each, also where a description or a hint names another tool.
// Words that people wrote are made harmless for places that clients show as the service's own.

import { slug } from "#base/ids.ts";
import type { Context } from "#context.ts";
import { coreToolNames } from "#contract/core-names.ts";

export const maxToolName = 64;
const maxPrefix = 40;

const named = new RegExp(`\\b(?:${coreToolNames.join("|")})\\b`, "g");

/** Lower-case letters, digits and underscores, whatever the setting holds. Empty: none. */
export function prefixOf({ settings }: Pick<Context, "settings">): string {
  const prefix = settings.get("mcp.toolPrefix");
  return prefix === ""
    ? ""
    : slug(prefix, "_")
        .slice(0, maxPrefix)
        .replace(/^_+|_+$/g, "");
}

export function toolName(prefix: string, name: string): string {
  return prefix === "" ? name : `${prefix}_${name}`;
}

/** A text of ours, with the names of tools as they are here. */
export function withNames(prefix: string, text: string): string {
  return prefix === "" ? text : text.replace(named, (name) => toolName(prefix, name));
}

/** One line of visible text: nothing that hides from a person or pretends to be more than a description. */
export function plainLine(text: string, maxLength = 1_024): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}]+/gu, "")
    .replace(/ {2,}/g, " ")
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).trimEnd()}…` : line;
}
