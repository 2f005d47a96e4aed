// Inheritance: a child schema with its parents' properties. One level only: parents of parents are ignored.

import type { PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";

export type FindSchema = (id: string) => SchemaRecord | undefined;

export function parentsOf(child: SchemaRecord, find: FindSchema): SchemaRecord[] {
  const parents: SchemaRecord[] = [];
  for (const id of new Set(child.inheritFrom)) {
    const parent = id === child.id ? undefined : find(id);
    if (parent) parents.push(parent);
  }
  return parents;
}

/** Description, category and form grid are the child's own; it still names its parents. */
export function inherit(child: SchemaRecord, find: FindSchema): SchemaRecord {
  const parents = parentsOf(child, find);
  if (parents.length === 0) return child;

  const properties: Record<string, PropertyDefinition> = { ...child.properties };
  for (const parent of parents) {
    for (const [name, definition] of Object.entries(parent.properties)) {
      if (!Object.hasOwn(properties, name)) properties[name] = definition;
    }
  }
  const family = [...parents, child];
  return {
    ...child,
    properties,
    required: [...new Set(family.flatMap((schema) => schema.required))],
    index: [...new Set(family.flatMap((schema) => schema.index))],
  };
}
