// What makes a property a relation: the collection that its ids are in. Pure; the server and the admin ask it alike.

import { isJsonObject, type Json } from "#contract/json.ts";
import type { PropertyDefinition } from "#contract/schemas.ts";

export const onMissingChoices = ["keep", "refuse"] as const;
export const onDeleteChoices = ["keep", "refuse", "clear"] as const;
export type OnMissing = (typeof onMissingChoices)[number];
export type OnDelete = (typeof onDeleteChoices)[number];

/** `reference`, of the property or of its items, else the collection that its options are the ids of. */
export function relationTarget({ reference, items, settings }: PropertyDefinition): string | undefined {
  const named = textOf(reference) ?? (isJsonObject(items) ? textOf(items.reference) : undefined);
  if (named !== undefined) return named;
  const options = isJsonObject(settings) ? settings.relationalOptions : undefined;
  if (!isJsonObject(options)) return undefined;
  return (textOf(options.value) ?? "id") === "id" ? textOf(options.collection) : undefined;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
