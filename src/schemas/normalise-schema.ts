// Normalises a schema record before it is written, then checks it.
// All errors are reported at once, under the name of the property or of the record's own field.

import { type ErrorDetails, fail } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";
import { type FindSchema, inherit, parentsOf } from "#rules/inherit.ts";
import { itemSchemaId, refTo, resolveType, typeOfField } from "#rules/property-types.ts";
import { type AddedKinds, isAddedName, isBasedOn, noKinds } from "./added-kinds.ts";
import { isTexts, problemsOf } from "./definition-rules.ts";
import { readRecord } from "./find-schema.ts";
import { idDefinition, notInItems } from "./flatten.ts";
import { newMistakes } from "./misspelt.ts";

export const maxProperties = 500;
const maxBytes = 1_048_576;
const maxNesting = 8;
const idForm = /^[a-z0-9]+(?:[-_]+[a-z0-9]+)*$/;
const maxIdLength = 100;
const nameForm = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;
const refusedNames = new Set(["constructor", "prototype"]);
/** Set by the service on every object: a schema may show them, as dates. */
const serviceDates = new Set(["created", "modified"]);

export interface SaveOptions {
  find: FindSchema;
  now: string;
  /** Sync: the time of the change is the sender's. */
  isTrusted?: boolean;
  /** Of extensions. */
  kinds?: AddedKinds;
}

export function normaliseSchema(
  input: JsonObject,
  { find, now, isTrusted, kinds = noKinds }: SaveOptions,
): SchemaRecord {
  refuse(formProblems(input));
  const written = input.properties as { [name: string]: PropertyDefinition };
  if (!isTrusted) refuse(kindProblems(written, kinds));
  const record = readRecord(input.id as string, { ...input, properties: writtenForms(written, kinds) });
  const family: SchemaRecord[] = [...parentsOf(record, find), record];
  if (!family.some((schema) => Object.hasOwn(schema.properties, "id"))) {
    record.properties = { id: idDefinition, ...record.properties };
  }
  const { properties } = inherit(record, find);
  if (!isTrusted) refuse(newMistakes({ written: input, names: Object.keys(properties) }, find(record.id)));
  const has = (name: string): boolean => Object.hasOwn(properties, name);
  const isPassword = (name: string): boolean => resolveType(properties[name] as PropertyDefinition) === "password";
  record.required = withId(record.required.filter(has));
  record.index = withId(record.index.filter((name) => has(name) && !isPassword(name)));
  record.description ??= "";
  if (!isTrusted || record.updated === undefined) record.updated = now;

  refuse(shapeProblems(record, find));
  if (Buffer.byteLength(JSON.stringify(record)) > maxBytes) fail("too-large", "A schema may have at most 1 MB.");
  return record;
}

function refuse(problems: ErrorDetails): void {
  if (Object.keys(problems).length > 0) fail("validation-failed", undefined, problems);
}

function note(problems: ErrorDetails, name: string, message: string): void {
  const known = Object.hasOwn(problems, name) ? problems[name] : undefined;
  problems[name] = [...(known ?? []), message];
}

/** Problems of a record as it is sent, or as it is on disk. */
export function formProblems(input: JsonObject): ErrorDetails {
  const problems: ErrorDetails = Object.create(null);
  const { id } = input;
  if (typeof id !== "string" || id === "") note(problems, "id", "Id is required");
  else if (id.length > maxIdLength || !idForm.test(id)) {
    note(problems, "id", `Id must be lower-case letters, digits and hyphens, at most ${maxIdLength} characters`);
  }
  for (const key of ["title", "description", "category", "formgrid"]) {
    if (input[key] !== undefined && typeof input[key] !== "string") note(problems, key, `${key} must be text`);
  }
  for (const key of ["required", "index", "inheritFrom"]) {
    if (input[key] !== undefined && !isTexts(input[key])) note(problems, key, `${key} must be a list of names`);
  }
  if (isTexts(input.inheritFrom) && input.inheritFrom.includes(id as string)) {
    note(problems, "inheritFrom", "A schema cannot inherit from itself");
  }
  if (input.additionalProperties !== undefined && typeof input.additionalProperties !== "boolean") {
    note(problems, "additionalProperties", "additionalProperties must be true or false");
  }
  if (input.mcp !== undefined && !isJsonObject(input.mcp)) note(problems, "mcp", "mcp must be an object");
  checkProperties(input.properties, problems);
  return problems;
}

function checkProperties(properties: Json | undefined, problems: ErrorDetails): void {
  if (!isJsonObject(properties)) {
    note(problems, "properties", "properties must be an object of property definitions");
    return;
  }
  const all = Object.entries(properties);
  if (all.length > maxProperties) {
    note(problems, "properties", `A schema may have at most ${maxProperties} properties`);
    return;
  }
  for (const [name, definition] of all) {
    if (!nameForm.test(name) || refusedNames.has(name)) {
      note(problems, name, "A property name starts with a letter and has letters, digits, _ and - only");
    } else if (!isJsonObject(definition)) note(problems, name, "A property definition must be an object");
    else {
      for (const message of problemsOf(definition).values()) note(problems, name, message);
      if (serviceDates.has(name) && resolveType(definition) !== "date") {
        note(problems, name, `${name} is set by the service and must be a date`);
      }
    }
  }
}

/** Cards and decks with an impossible shape: it contains what items cannot contain, or itself. */
export function shapeProblems(record: SchemaRecord, find: FindSchema): ErrorDetails {
  const problems: ErrorDetails = Object.create(null);
  const findAlso: FindSchema = (id) => (id === record.id ? record : find(id));
  for (const [name, definition] of Object.entries(record.properties)) {
    const target = itemSchemaId(definition);
    const problem = target === undefined ? undefined : itemProblem([record.id, target], new Set(), findAlso);
    if (problem) note(problems, name, problem);
  }
  return problems;
}

/** A missing schema may be saved later. `sound` keeps the search from visiting a schema twice. */
function itemProblem(path: string[], sound: Set<string>, find: FindSchema): string | undefined {
  const id = path.at(-1) as string;
  if (path.indexOf(id) < path.length - 1) return `The schema "${id}" would contain itself`;
  if (path.length > maxNesting) return `Cards may be nested ${maxNesting} levels deep`;
  const written = sound.has(id) ? undefined : find(id);
  for (const [name, definition] of Object.entries(written ? inherit(written, find).properties : {})) {
    const type = resolveType(definition);
    if (notInItems.has(type)) return `The schema "${id}" cannot shape an item: its ${name} is of type ${type}`;
    const target = itemSchemaId(definition);
    const problem = target === undefined ? undefined : itemProblem([...path, target], sound, find);
    if (problem) return problem;
  }
  sound.add(id);
  return undefined;
}

function withId(names: string[]): string[] {
  return [...new Set([...names, "id"])];
}

/** Properties with a field kind of an extension have the type of that kind. */
function kindProblems(properties: { [name: string]: PropertyDefinition }, kinds: AddedKinds): ErrorDetails {
  const problems: ErrorDetails = Object.create(null);
  for (const [name, definition] of Object.entries(properties)) {
    const { field, type, $ref } = definition;
    if (!isAddedName(field)) continue;
    const kind = kinds.get(field);
    const isTyped = type !== undefined || $ref !== undefined;
    if (!kind && !isTyped)
      note(problems, name, `No extension brings the field kind ${field}. Enable it first, or name the type`);
    else if (kind && isTyped && !isBasedOn(resolveType(definition), kind))
      note(problems, name, `The field kind ${field} has the type ${kind.type}: write that, or leave the type out`);
  }
  return problems;
}

function writtenForms(properties: { [name: string]: PropertyDefinition }, kinds: AddedKinds): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, definition]) => {
      const { field, type, $ref } = definition;
      const kind = field !== undefined && type === undefined && $ref === undefined ? kinds.get(field) : undefined;
      return [name, writtenForm(kind ? { ...definition, type: kind.type } : definition)];
    }),
  ) as JsonObject;
}

/** A type for every property, as a reference where a shared definition exists; defaults of switches as booleans. */
function writtenForm({ type, $ref, ...others }: PropertyDefinition): PropertyDefinition {
  const named = type ?? ($ref === undefined ? typeOfField(others.field ?? "text") : undefined);
  const ref = $ref === undefined && named !== undefined ? refTo(named) : undefined;
  const definition: PropertyDefinition =
    ref === undefined
      ? { ...($ref !== undefined && { $ref }), ...(named !== undefined && { type: named }), ...others }
      : { $ref: ref, ...others };
  return resolveType(definition) === "boolean" ? withBooleanDefault(definition) : definition;
}

function withBooleanDefault(definition: PropertyDefinition): PropertyDefinition {
  if (definition.default === "true" || definition.default === "1") return { ...definition, default: true };
  if (definition.default === "false" || definition.default === "0") return { ...definition, default: false };
  return definition;
}
