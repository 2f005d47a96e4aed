// Under which address the server speaks: the issuer of its tokens, and what they may be for.
// Named by the door, from the settings or the listening socket; never taken from what a request claims.

import type { App } from "#context.ts";
import type { Storage } from "#storage/port.ts";

const issuers = new WeakMap<Storage, () => string>();

/** By the door, once, when it opens. */
export function nameIssuer({ storage }: Pick<App, "storage">, baseUrl: () => string): void {
  issuers.set(storage, baseUrl);
}

/** Without a slash at the end. */
export function issuerOf({ storage, settings }: Pick<App, "storage" | "settings">): string {
  return issuers.get(storage)?.() ?? settings.get("url").replace(/\/+$/, "");
}

/** What a token may be asked for (RFC 8707). All of it is this one service: scopes tell what a token may do there. */
export function resourcesOf(issuer: string): readonly string[] {
  return [issuer, `${issuer}/`, `${issuer}/mcp`, `${issuer}/api`];
}

/** What a client is told to ask for (RFC 9728). */
export function mcpResource(issuer: string): string {
  return `${issuer}/mcp`;
}
