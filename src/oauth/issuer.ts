// The issuer of the server's tokens, which is its address, and what they may be for.

import { siteAddress } from "#content/site-address.ts";
import type { App } from "#context.ts";

/** Without a slash at the end. */
export function issuerOf(app: Pick<App, "storage" | "settings">): string {
  return siteAddress(app);
}

/** What a token may be asked for (RFC 8707). All of it is this one service: scopes tell what a token may do there. */
export function resourcesOf(issuer: string): readonly string[] {
  return [issuer, `${issuer}/`, `${issuer}/mcp`, `${issuer}/api`];
}

/** What a client is told to ask for (RFC 9728). */
export function mcpResource(issuer: string): string {
  return `${issuer}/mcp`;
}
