// How the MCP endpoint is set up, and what it opens.

import { allow } from "#access/allow.ts";
import { isPro } from "#access/edition.ts";
import { countOpenMcpSessions } from "#access/mcp-sessions.ts";
import { exposureOf, listOpenConfigs } from "#content/collections/collection-cache.ts";
import { savedQueriesOf } from "#content/collections/saved-queries.ts";
import { siteAddress } from "#content/site-address.ts";
import type { Context } from "#context.ts";
import { coreToolNames } from "#contract/core-names.ts";
import type { McpCollection, McpSetUp, McpStatus } from "#contract/mcp.ts";
import { prefixOf, toolName } from "./names.ts";
import { savedQueryTools } from "./saved-queries.ts";

export async function getMcpSetUp(ctx: Context): Promise<McpSetUp> {
  allow(ctx, "read", { kind: "settings" });
  const { settings } = ctx;
  return {
    enabled: settings.get("mcp.enabled"),
    endpoint: endpointOf(ctx),
    publicAccess: settings.get("mcp.publicAccess"),
    apiKeys: isPro(ctx),
    oauth: isPro(ctx) && settings.get("oauth.enabled"),
    publicIpPerMinute: settings.get("mcp.publicIpPerMinute"),
    allowedOrigins: settings.get("mcp.allowedOrigins"),
    toolPrefix: settings.get("mcp.toolPrefix"),
    subscriptionsEnabled: settings.get("mcp.subscriptionsEnabled"),
    sessions: await countOpenMcpSessions(ctx),
  };
}

export async function getMcpStatus(ctx: Context): Promise<McpStatus> {
  const setUp = await getMcpSetUp(ctx);
  const prefix = prefixOf(ctx);
  const usable = new Set((await savedQueryTools(ctx, prefix)).map(({ name }) => name));
  const collections = (await listOpenConfigs(ctx, "read")).map(
    (config): McpCollection => ({
      id: config.id,
      name: config.name || config.id,
      access: exposureOf(config),
      resource: config.mcp.resource === true,
      tools: savedQueriesOf(config.mcp)
        .filter(({ id }) => usable.has(id))
        .map(({ id }) => toolName(prefix, id)),
    }),
  );
  collections.sort((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1));
  return { ...setUp, collections, tools: coreToolNames.map((name) => toolName(prefix, name)) };
}

/** The public address; before the server listens, the one it will listen on. */
export function endpointOf(ctx: Context): string {
  const { settings } = ctx;
  const base = siteAddress(ctx) || `http://${settings.get("host")}:${settings.get("port")}`;
  return `${base}/mcp`;
}
