// The property that names an object to people.

import type { FlatSchema } from "#schemas/types.ts";

const candidates = ["title", "name", "label", "subject", "email"];

/** The first that the schema has; `id` otherwise. */
export function titlePropertyOf({ properties }: Pick<FlatSchema, "properties">): string {
  return candidates.find((name) => properties.has(name)) ?? "id";
}
