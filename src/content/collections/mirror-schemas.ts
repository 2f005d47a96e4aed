// Schemas where several nodes share a database: an edit of a schema file is checked as a save by the API is, under the same
// lock, and stored as it was written. followSchemaFiles announces it.

import { system } from "#access/actor.ts";
import { CairnError } from "#base/errors.ts";
import { withSchemasLock } from "#content/locks.ts";
import { type App, contextFor } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { prepareSchema } from "./schemas.ts";

export function mirrorSchemas(app: App): void {
  app.definitions?.takeWith("schemas", {
    async check(id, text) {
      prepareSchema(contextFor(app, system), { ...(JSON.parse(text) as JsonObject), id }, {});
      return text;
    },
    refusal: refusalOf,
    within: (work) => withSchemasLock(app, work),
  });
}

/** Problems of the service itself are no refusals: the edit is tried again. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof CairnError) || error.status >= 500) return undefined;
  const details = Object.values(error.details ?? {}).flat();
  return [error.message, ...details].join(" ");
}
