// What each scope lets an application do, in words for the users who decide.

import type { Scope } from "#contract/scopes.ts";

const words: Record<Scope, string> = {
  "cms:read": "Read content",
  "cms:write": "Create, change and delete content",
  "cms:admin": "Administer the site: schemas, collections, caches and extensions",
  "mcp:tools": "Call tools, as an AI client",
  "mcp:resources": "Read resources, as an AI client",
  "mcp:prompts": "Use prompts, as an AI client",
};

/** An HTML list; `labelledBy`: the id of its heading. */
export function scopeList(scopes: readonly Scope[], labelledBy?: string): string {
  return `<ul${labelledBy ? ` aria-labelledby="${labelledBy}"` : ""}>${scopes.map((scope) => `<li>${words[scope]} <code>${scope}</code></li>`).join("")}</ul>`;
}
