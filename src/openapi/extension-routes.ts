// Routes of enabled extensions, as their manifests declare them: those that the caller may call. Nothing of an extension runs.

import { isAdminPersona } from "#access/actor.ts";
import { isAllowed } from "#access/allow.ts";
import type { Context } from "#context.ts";
import type { RouteContribution } from "#contract/extensions.ts";
import { describedSchema } from "#schemas/added-kinds.ts";
import type { CollectionRoute } from "./collection-paths.ts";

export async function extensionRoutes(ctx: Context): Promise<CollectionRoute[]> {
  const offered = await ctx.extensions.of("routes");
  return offered
    .filter(({ extension, entry }) => isShown(ctx, extension, entry))
    .map(({ extension, title, entry }) => {
      const { name, method, path, summary, access, scope, input, output } = entry;
      const inWords = [...extension.split(/[/-]/), ...name.split("-")];
      const body = describedSchema({ schema: input });
      const answer = describedSchema({ schema: output }) ?? {};
      return {
        method: method.toLowerCase(),
        path: `/api/ext/${extension}${path}`,
        operationId: `ext${inWords.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`,
        doc: {
          tag: `Extension ${extension}`,
          summary: summary ?? `${title}: ${name}`,
          description: `Access: ${access}.${scope === undefined ? "" : ` Access tokens need the scope ${scope}.`}`,
          ...(body && method !== "GET" && { body }),
          answer,
        },
      };
    });
}

function isShown({ actor }: Context, extension: string, { access }: RouteContribution): boolean {
  if (access === "public" || isAdminPersona(actor)) return true;
  if (access === "user") return actor.kind === "user" || actor.kind === "token";
  return access === "group" && isAllowed(actor, "read", { kind: "extension", extension });
}
