// Tools about the installation itself.

import { isAllowed } from "#access/allow.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { version } from "#base/version.ts";
import { listCollections } from "#content/collections/collections.ts";
import type { Context } from "#context.ts";
import { listExtensions } from "#extensions/manage.ts";
import { clearCache, clearCaches } from "#installation/caches.ts";
import { defineTool, reads } from "#mcp/define-tool.ts";
import { declined } from "#mcp/failures.ts";
import { isAdmin } from "#mcp/persona.ts";
import { flag, input, list, output, text, whole } from "#mcp/reading/json-schemas.ts";
import type { Tool } from "#mcp/tool.ts";

const siteInfoTool = defineTool({
  name: "get_site_info",
  title: "About this site",
  description: "Name, version and edition of the service, and how much it holds.",
  input: input({}),
  output: output(
    {
      name: text("Of the service."),
      version: text("Of the service."),
      edition: text("lite, standard or pro."),
      runtime: text("What it runs on."),
      url: text("Public address of the site; empty when none is set."),
      collections: whole("How many."),
      objects: whole("How many."),
      extensions: list(text("Id.")),
    },
    ["name", "version", "edition"],
  ),
  annotations: reads,
  scope: "cms:admin",
  isVisible: isForAdmins,
  async run(ctx) {
    const all = await listCollections(ctx);
    return {
      structured: {
        name: "Cairn",
        version,
        edition: ctx.settings.get("edition"),
        runtime: `Node.js ${process.versions.node}`,
        url: ctx.settings.get("url"),
        collections: all.length,
        objects: all.reduce((sum, { count }) => sum + count, 0),
        extensions: (await listExtensions(ctx)).filter(({ state }) => state === "enabled").map(({ id }) => id),
      },
    };
  },
});

/** Both list extensions. */
function isForAdmins(ctx: Context): boolean {
  return isAdmin(ctx) && isAllowed(ctx.actor, "read", { kind: "extensions" });
}

const listExtensionsTool = defineTool({
  name: "list_extensions",
  title: "List extensions",
  description: "The extensions of the service, with their states and what they add.",
  input: input({}),
  output: output(
    {
      extensions: list(
        output(
          {
            id: text("Id."),
            name: text("Name."),
            version: text("Version."),
            enabled: flag("Whether an operator wants it."),
            state: text("Whether it runs, and if not, why."),
            error: text("What is wrong; empty when nothing is."),
            capabilities: list(text("What it adds and may do.")),
          },
          ["id", "name"],
        ),
      ),
    },
    ["extensions"],
  ),
  annotations: reads,
  scope: "cms:admin",
  isVisible: isForAdmins,
  async run(ctx) {
    const extensions = (await listExtensions(ctx)).map(
      ({ id, name, version: own, enabled, state, error, capabilities }) => ({
        ...{ id, name, version: own, enabled, state, error: error ?? "" },
        capabilities: capabilities.filter(({ on }) => on).map(({ name: capability }) => capability),
      }),
    );
    return { structured: { extensions } };
  },
});

const clearableKinds = Object.values(cacheKinds)
  .filter(({ isClearedAlone }) => isClearedAlone)
  .map(({ name }) => name);

const clearCacheTool = defineTool({
  name: "clear_cache",
  title: "Clear the caches",
  description:
    "Throws away what is cached: derived images, and what the service has in memory. It is made again when it is asked for. Slow for " +
    "visitors at first. With a kind, that cache alone. The person is asked first where the client can ask.",
  input: input({ kind: { type: "string", description: `One of ${clearableKinds.join(", ")}. Left out: everything.` } }),
  output: output(
    {
      cleared: {
        type: "object",
        description: "Entries that were thrown away, by kind.",
        additionalProperties: { type: "integer" },
      },
    },
    ["cleared"],
  ),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  mayAsk: true,
  scope: "cms:admin",
  isVisible: ({ actor }) => isAllowed(actor, "delete", { kind: "util", util: "cache" }),
  async run(ctx, { kind }, call) {
    const name = kind === undefined ? undefined : String(kind);
    const question =
      name === undefined ? "Clear the caches of the whole site?" : `Clear the cache "${name}" of the whole site?`;
    const isSure = await (call.confirm?.(question) ?? true);
    if (!isSure) return declined(ctx);
    const cleared = name === undefined ? (await clearCaches(ctx)).cleared : { [name]: await clearCache(ctx, name) };
    return { structured: { cleared } };
  },
});

export const siteTools: readonly Tool[] = [siteInfoTool, listExtensionsTool, clearCacheTool];
