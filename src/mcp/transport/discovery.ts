// /.well-known/mcp.json: where the endpoint is and how to get in. Says nothing that a caller without credentials may not know.

import { anonymous } from "#access/actor.ts";
import { isPro } from "#access/edition.ts";
import { version } from "#base/version.ts";
import { type App, contextFor } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { metadataUrl } from "./authenticate.ts";

/** The newest revision; clients of older ones are served on the same path. */
const revision = "2026-07-28";

export async function describeEndpoint(app: App, baseUrl: string): Promise<JsonObject> {
  const { settings } = app;
  const isEnabled = settings.get("mcp.enabled");
  const isPublic = isEnabled && settings.get("mcp.publicAccess");
  const hasOAuth = isPro(app) && settings.get("oauth.enabled");
  const resourceMetadata = metadataUrl(baseUrl);
  return {
    mcpVersion: revision,
    name: "Cairn",
    version,
    description: "The content of this site, and tools to work with it.",
    endpoint: `${baseUrl}/mcp`,
    transport: "streamable-http",
    auth: {
      public: isPublic,
      ...(isPro(app) && { apiKey: { header: "X-API-Key" } }),
      ...(hasOAuth && { oauth: { resourceMetadata } }),
    },
    ...(hasOAuth && { resourceMetadata }),
    publicTools: isPublic ? await publicTools(app) : [],
    ...(!isEnabled && { disabled: true }),
  };
}

async function publicTools(app: App): Promise<string[]> {
  const { listTools } = await import("#mcp/catalogue.ts");
  const tools = await listTools({ ...contextFor(app, anonymous), surface: "mcp" });
  return tools.map(({ name }) => name);
}
