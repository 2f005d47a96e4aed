// What each scope lets an application do, in words for the users who decide.

import { type Scope, scopeWords } from "#contract/scopes.ts";

/** An HTML list; `labelledBy`: the id of its heading. */
export function scopeList(scopes: readonly Scope[], labelledBy?: string): string {
  return `<ul${labelledBy ? ` aria-labelledby="${labelledBy}"` : ""}>${scopes.map((scope) => `<li>${scopeWords[scope]} <code>${scope}</code></li>`).join("")}</ul>`;
}
