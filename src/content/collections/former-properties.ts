// The former names of properties when a schema is saved. An editor, or another installation, that does not know them keeps
// them; and a schema from before a rename takes the values back to the old name. Pure.

import { type ErrorDetails, fail } from "#base/errors.ts";
import type { PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";

/** The record with the former names that it is saved with. Refuses those that someone wrote where they cannot be. */
export function keepFormerNames(record: SchemaRecord, stored: SchemaRecord | undefined): SchemaRecord {
  const has = (name: string) => Object.hasOwn(record.properties, name);
  const taken = new Set<string>();
  const problems: ErrorDetails = {};
  const properties: SchemaRecord["properties"] = {};
  for (const [name, { formerly: sent, ...definition }] of Object.entries(record.properties)) {
    const known = formerlyOf(stored, name);
    const former = [...(sent ?? known), ...takenBack(stored, name, has)].filter((each) => !has(each));
    for (const each of former)
      if (taken.has(each)) problems[name] = [`formerly: another property had the name "${each}" already`];
    for (const each of former) taken.add(each);
    properties[name] = withFormer(definition, [...new Set(former)]);
  }
  if (Object.keys(problems).length > 0) fail("validation-failed", undefined, problems);
  return { ...record, properties };
}

function withFormer(definition: PropertyDefinition, former: string[]): PropertyDefinition {
  return former.length > 0 ? { ...definition, formerly: former } : definition;
}

/** The properties that leave and had this name before: it has their values again. */
function takenBack(stored: SchemaRecord | undefined, name: string, has: (name: string) => boolean): string[] {
  if (!stored || Object.hasOwn(stored.properties, name)) return [];
  const leaving = Object.keys(stored.properties).filter((each) => !has(each));
  const heir = leaving.find((each) => formerlyOf(stored, each).includes(name));
  return heir === undefined ? [] : [heir, ...formerlyOf(stored, heir)];
}

function formerlyOf(record: SchemaRecord | undefined, name: string): string[] {
  return (record && Object.hasOwn(record.properties, name) && record.properties[name]?.formerly) || [];
}

/** Former names whose property would not be known any more. */
export function endedNames(before: SchemaRecord | undefined, after: SchemaRecord): string[] {
  const former = (record: SchemaRecord) => Object.keys(record.properties).flatMap((name) => formerlyOf(record, name));
  const kept = new Set(former(after));
  const isKept = (name: string) => kept.has(name) || isTakenBack(before, after, name);
  return before ? former(before).filter((name) => !isKept(name)) : [];
}

/** Its values are under its own name again, and the heir is known. */
function isTakenBack(before: SchemaRecord | undefined, after: SchemaRecord, name: string): boolean {
  const heirs = Object.keys(before?.properties ?? {}).filter((each) => formerlyOf(before, each).includes(name));
  return heirs.some((heir) => formerlyOf(after, name).includes(heir));
}
