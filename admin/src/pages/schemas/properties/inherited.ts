// Properties that a schema gets from its parents. Pure.

import type { PropertyDefinition, SchemaRecord } from "@contract/schemas.ts";

export interface Inherited {
  name: string;
  definition: PropertyDefinition;
  parent: SchemaRecord;
}

/** Those that the schema does not define by itself; of several parents the first one that has it wins. */
export function inheritedOf(record: SchemaRecord, parents: readonly SchemaRecord[]): Inherited[] {
  const names = new Set(parents.flatMap(({ properties }) => Object.keys(properties)));
  return [...names]
    .filter((name) => !Object.hasOwn(record.properties, name))
    .flatMap((name) => sourceOf(name, parents) ?? []);
}

/** Where a property of this name comes from, or would come from. */
export function sourceOf(name: string, parents: readonly SchemaRecord[]): Inherited | undefined {
  const parent = parents.find(({ properties }) => Object.hasOwn(properties, name));
  const definition = parent?.properties[name];
  return parent && definition && { name, definition, parent };
}

export function titleOf({ title, id }: SchemaRecord): string {
  return title || id;
}
