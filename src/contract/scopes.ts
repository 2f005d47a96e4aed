// Scopes of tokens: the names on the wire.

export type Scope = "cms:read" | "cms:write" | "cms:admin" | "mcp:tools" | "mcp:resources" | "mcp:prompts";

export const scopes: readonly Scope[] = [
  "cms:read",
  "cms:write",
  "cms:admin",
  "mcp:tools",
  "mcp:resources",
  "mcp:prompts",
];

export function isScope(word: string): word is Scope {
  return (scopes as readonly string[]).includes(word);
}

/** The scopes that a set includes: administering includes reading and writing. */
export function hasScope(held: ReadonlySet<Scope>, scope: Scope): boolean {
  if (held.has(scope)) return true;
  return (scope === "cms:read" || scope === "cms:write") && held.has("cms:admin");
}

/** What each scope lets an application do, in words for the users who decide. */
export const scopeWords: Record<Scope, string> = {
  "cms:read": "Read content",
  "cms:write": "Create, change and delete content",
  "cms:admin": "Administer the site: schemas, collections, caches and extensions",
  "mcp:tools": "Call tools, as an AI client",
  "mcp:resources": "Read resources, as an AI client",
  "mcp:prompts": "Use prompts, as an AI client",
};
