// The issuer of the server's tokens, which is its address, and the resources they may be for.

import type { TokenDoor } from "#access/credentials.ts";
import { siteAddress } from "#content/site-address.ts";
import type { App } from "#context.ts";

/** Without a slash at the end. */
export function issuerOf(app: Pick<App, "storage" | "settings">): string {
  return siteAddress(app);
}

/** Resources of tokens (RFC 8707): the whole service, the MCP endpoint, or the rest. */
export function resourcesOf(issuer: string): readonly string[] {
  return [issuer, `${issuer}/`, `${issuer}/mcp`, `${issuer}/api`];
}

/** A token for one of them opens only that one; one for the whole service opens both. */
export function opensResource(issuer: string, audience: string, door: TokenDoor): boolean {
  const other = door === "api" ? "mcp" : "api";
  return audience !== `${issuer}/${other}`;
}

/** The resource that clients should request (RFC 9728). */
export function mcpResource(issuer: string): string {
  return `${issuer}/mcp`;
}
