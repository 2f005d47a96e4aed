// Tools about the installation itself.

import { isAllowed } from "#access/allow.ts";
import { version } from "#base/version.ts";
import { listCollections } from "#content/collections/collections.ts";
import type { Context } from "#context.ts";
import { listExtensions } from "#extensions/manage.ts";
import { defineTool, reads } from "#mcp/define-tool.ts";
import { declined } from "#mcp/failures.ts";
import { isAdmin } from "#mcp/persona.ts";
import { flag, input, list, output, text, whole } from "#mcp/reading/json-schemas.ts";
import type { Tool } from "#mcp/tool.ts";
import { clearAllImages } from "#media/images/derived-images.ts";

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

const clearCacheTool = defineTool({
  name: "clear_cache",
  title: "Clear the caches",
  description:
    "Throws away derived images; they are made again when they are asked for. Slow for visitors at first. The person is " +
    "asked first where the client can ask.",
  input: input({}),
  output: output({ cleared: output({ images: whole("Derived images that were thrown away.") }, ["images"]) }, [
    "cleared",
  ]),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  mayAsk: true,
  scope: "cms:admin",
  isVisible: ({ actor }) => isAllowed(actor, "delete", { kind: "util", util: "cache" }),
  async run(ctx, _args, call) {
    const isSure = await (call.confirm?.("Clear the caches of the whole site?") ?? true);
    if (!isSure) return declined(ctx);
    return { structured: { cleared: { images: await clearAllImages(ctx) } } };
  },
});

export const siteTools: readonly Tool[] = [siteInfoTool, listExtensionsTool, clearCacheTool];
