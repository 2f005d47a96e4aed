// Shared property definitions, the field kinds, and the rule that decides a property's type.
// A reference is only a name to look up here: nothing is fetched, nothing is read.

import { type PropertyDefinition, type PropertyType, propertyTypes } from "#contract/schemas.ts";

const base = "/schemas/properties/";

/** The names for `$ref`, and their types. */
const sharedDefinitions: ReadonlyMap<string, PropertyType> = new Map([
  ["card", "card"],
  ["code", "code"],
  ["color", "color"],
  ["date", "date"],
  ["deck", "deck"],
  ["depot", "depot"],
  ["email", "email"],
  ["empty", "string"],
  ["file", "file"],
  ["folder", "object"],
  ["gallery", "gallery"],
  ["image", "image"],
  ["json", "json"],
  ["list", "list"],
  ["localizedtext", "localizedtext"],
  ["password", "password"],
  ["phone", "phone"],
  ["properties", "object"],
  ["rating", "rating"],
  ["slug", "slug"],
  ["svg", "svg"],
  ["time", "time"],
  ["url", "url"],
]);

const fieldTypes: ReadonlyMap<string, PropertyType> = new Map([
  ["checkbox", "boolean"],
  ["toggle", "boolean"],
  ["number", "number"],
  ["price", "number"],
  ["range", "number"],
  ["date", "date"],
  ["datetime", "date"],
  ["list", "list"],
  ["multicheckbox", "array"],
  ["checklist", "array"],
  ["multiselect", "array"],
  ["id", "slug"],
  ["email", "email"],
  ["url", "url"],
  ["phone", "phone"],
  ["time", "time"],
  ["svg", "svg"],
  ["color", "color"],
  ["code", "code"],
  ["json", "json"],
  ["password", "password"],
  ["rating", "rating"],
  ["image", "image"],
  ["gallery", "gallery"],
  ["file", "file"],
  ["depot", "depot"],
  ["card", "card"],
  ["deck", "deck"],
  ["deckTable", "deck"],
  ["localizedtext", "localizedtext"],
  ["localizedtextarea", "localizedtext"],
  ["localizedstyledtext", "localizedtext"],
]);

const media: ReadonlySet<PropertyType> = new Set(["image", "gallery", "file", "depot"]);
const structured: ReadonlySet<PropertyType> = new Set([...media, "color", "json", "list", "localizedtext", "rating"]);

/** The types that have a shared definition are written as a reference to it. */
export function refTo(type: string): string | undefined {
  return sharedDefinitions.has(type) ? `${base}${type}.json` : undefined;
}

/** The last segment without `.json`: how references to shared definitions and to schemas are read. */
export function refName(ref: string): string {
  const segment = ref.slice(ref.lastIndexOf("/") + 1);
  return segment.endsWith(".json") ? segment.slice(0, -".json".length) : segment;
}

/** Field kinds that are not listed contain text. */
export function typeOfField(field: string): PropertyType {
  return fieldTypes.get(field) ?? "string";
}

export function isPropertyType(type: unknown): type is PropertyType {
  return (propertyTypes as readonly unknown[]).includes(type);
}

/** Password-type if any keyword says so: no combination makes it readable. */
export function resolveType(definition: PropertyDefinition): PropertyType {
  const named = isPropertyType(definition.type) ? definition.type : undefined;
  const referred = definition.$ref === undefined ? undefined : sharedDefinitions.get(refName(definition.$ref));
  const shown = definition.field === undefined ? undefined : typeOfField(definition.field);
  if (named === "password" || referred === "password" || shown === "password") return "password";
  if (shown === "deck" || shown === "card") return shown;
  const type = referred ?? named;
  if (!type) return shown ?? "string";
  // A general JSON type yields to a more specific field.
  if (shown && type === "string" && media.has(shown)) return shown;
  if (shown && (type === "array" || type === "object") && structured.has(shown)) return shown;
  return type;
}

/** The schema that a card or deck takes its shape from, if the definition names one. */
export function itemSchemaId(definition: PropertyDefinition): string | undefined {
  const type = resolveType(definition);
  if (type !== "card" && type !== "deck") return undefined;
  const { settings } = definition;
  for (const ref of [definition.schemaref, definition.deckref, settings?.schemaref, settings?.deckref]) {
    if (typeof ref === "string" && ref !== "") return refName(ref);
  }
  return undefined;
}
