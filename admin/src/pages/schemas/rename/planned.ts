// What a rename would do, read from the plan of the schema that it makes. Pure.

import type { PropertyDefinition, PropertyMention, SchemaPlan, SchemaRecord } from "@contract/schemas.ts";
import { renameCells } from "@rules/formgrid.ts";

/** The schema as it would be: the plan does not depend on the new name, so any free one will do. */
export function renamedSchema(schema: SchemaRecord, from: string): SchemaRecord {
  const taken = new Set(Object.keys(schema.properties));
  let to = `${from}-renamed`;
  while (taken.has(to)) to = `${to}-`;
  const name = (each: string) => (each === from ? to : each);
  const { formerly = [], ...definition } = schema.properties[from] as PropertyDefinition;
  const renamed: PropertyDefinition = { ...definition, formerly: [from, ...formerly] };
  const properties = Object.entries(schema.properties).map(([each, own]) =>
    each === from ? [to, renamed] : [each, own],
  );
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: schema.required.map(name),
    index: schema.index.map(name),
    ...(schema.formgrid !== undefined && { formgrid: renameCells(schema.formgrid, { from, to }) }),
  };
}

/** Settings of collections follow by themselves. */
const following = new Set<PropertyMention["kind"]>(["collection", "saved-query", "saved-view"]);

export interface PlannedRename {
  /** Objects with a value, by collection, the most first. */
  collections: [id: string, objects: number][];
  /** There are collections that the caller may not read. */
  hasOthers: boolean;
  /** What names the property and does not follow. */
  mentions: PropertyMention[];
  /** Objects that were looked at; undefined: all. */
  counted: number | undefined;
}

export function plannedRename({ renamed, mentions, counted, hasOthers }: SchemaPlan, from: string): PlannedRename {
  const own = renamed.find((each) => each.from === from);
  const collections = Object.entries(own?.collections ?? {}).sort(([, a], [, b]) => b - a);
  return {
    collections,
    hasOthers,
    mentions: mentions.filter(({ property, kind }) => property === from && !following.has(kind)),
    counted: counted.isComplete ? undefined : counted.objects,
  };
}
