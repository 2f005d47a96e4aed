// Words of a schema that mean nothing: keywords nobody reads, cells of a form without a property, numbers that cannot be
// computed. Saving refuses those that look like a known word or cannot work, and were not stored before; lint names all. Pure.

import type { ErrorDetails } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { SchemaRecord } from "#contract/schemas.ts";
import { isCalculable } from "#rules/calc.ts";
import { cellsOf } from "#rules/formgrid.ts";
import { correctionOf } from "#rules/near-names.ts";
import { itemSchemaId, resolveType } from "#rules/property-types.ts";
import { relationTarget } from "#rules/relations.ts";
import { knownKeywords, withoutInvalidKeys } from "./definition-rules.ts";

const fields = [
  ...["$schema", "$id", "id", "type", "title", "name", "description", "category", "formgrid", "inheritFrom"],
  ...["properties", "required", "index", "additionalProperties", "updated", "mcp"],
];

/** A word that is used nowhere. */
export interface Unused {
  /** The property, or the field of the record. */
  name: string;
  message: string;
  /** It looks like a known word, or it can never work. */
  isMistake: boolean;
  /** Where the word is, when it is a key: `colour`, `author.colour`. */
  key?: string;
}

interface Checked {
  /** As it was sent, or as it is in its file. */
  written: JsonObject;
  /** Names of all properties, inherited ones too. */
  names: readonly string[];
}

export function unusedWords({ written, names }: Checked): Unused[] {
  const found: Unused[] = [];
  const note = (name: string, message: string, near: string, key?: string): void => {
    found.push({ name, message: message + near, isMistake: near !== "", ...(key !== undefined && { key }) });
  };
  for (const key of Object.keys(written))
    if (!fields.includes(key)) note(key, `A schema has no field ${shown(key)}.`, correctionOf(key, fields), key);
  for (const [name, definition] of Object.entries(isJsonObject(written.properties) ? written.properties : {})) {
    if (!isJsonObject(definition)) continue;
    for (const key of Object.keys(definition))
      if (!knownKeywords.has(key))
        note(name, `The keyword ${shown(key)} has no meaning.`, correctionOf(key, knownKeywords), `${name}.${key}`);
    if (definition.$ref === undefined && relationTarget(definition) === undefined)
      for (const key of ["onMissing", "onDelete"])
        if (Object.hasOwn(definition, key))
          note(name, `${key} has no meaning: the property is no relation. Add reference.`, "", `${name}.${key}`);
    for (const key of lostShapes(definition)) {
      const message = `${key} does not shape it: make a schema of these properties, and name that schema in schemaref.`;
      found.push({ name, message, isMistake: true, key: `${name}.${key}` });
    }
    const calc = calcOf(definition);
    if (calc !== undefined && !isCalculable(calc))
      found.push({
        name,
        message: "settings.calc cannot be computed: check its operators and names.",
        isMistake: true,
      });
  }
  for (const list of ["required", "index"] as const)
    for (const name of textsIn(written[list]))
      if (!names.includes(name))
        note(list, `${list} names ${shown(name)}, which is no property.`, correctionOf(name, names));
  for (const cell of typeof written.formgrid === "string" ? cellsOf(written.formgrid) : [])
    if (!names.includes(cell))
      note("formgrid", `formgrid names ${shown(cell)}, which is no property.`, correctionOf(cell, names));
  return found;
}

/** Keys of a sent schema that have no effect. */
export function unusedKeys(written: Json): string[] {
  if (!isJsonObject(written)) return [];
  return unusedWords({ written, names: [] }).flatMap(({ key }) => key ?? []);
}

/** Mistakes that the schema did not have before. A property that is taken out may still be named in lists and in the form. */
export function newMistakes(checked: Checked, before: SchemaRecord | undefined): ErrorDetails {
  const details: ErrorDetails = Object.create(null);
  const stored = before as unknown as JsonObject | undefined;
  const old = new Set(stored ? unusedWords({ ...checked, written: stored }).map(({ message }) => message) : []);
  const former = Object.keys(before?.properties ?? {}).map(shown);
  for (const { name, message, isMistake } of unusedWords(checked)) {
    const isLeaving =
      (name === "formgrid" || name === "index" || name === "required") &&
      former.some((each) => message.includes(`names ${each},`));
    if (isMistake && !isLeaving && !old.has(message)) details[name] = [...(details[name] ?? []), message];
  }
  return details;
}

/** Keywords by which JSON Schema would shape a card or the items of a deck, which have no shape of their own. */
function lostShapes(definition: JsonObject): string[] {
  const valid = withoutInvalidKeys(definition);
  const type = resolveType(valid);
  if ((type !== "card" && type !== "deck") || itemSchemaId(valid) !== undefined) return [];
  return ["items", "properties"].filter((key) => isJsonObject(definition[key]));
}

function calcOf({ settings }: JsonObject): string | undefined {
  const calc = isJsonObject(settings) ? settings.calc : undefined;
  return typeof calc === "string" && calc.trim() !== "" ? calc : undefined;
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}
