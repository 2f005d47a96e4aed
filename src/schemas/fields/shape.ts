// Builds the properties of a shape: an object, a card, a deck item. Every step from a sent property
// to the document is here, in this order: generate, default or coerce, require, check.

import type { Json, JsonObject } from "#contract/json.ts";
import { calculate } from "#rules/calc.ts";
import { isRuleMet, readVisibility } from "#rules/visibility.ts";
import { maxIndexedText, maxSearchedText } from "#schemas/bounds.ts";
import { moveFormer } from "#schemas/former-names.ts";
import type { Field, FieldWrite, FlatSchema, Property } from "#schemas/types.ts";
import { checkAdded } from "./added.ts";
import { generate } from "./autogen.ts";
import { isWithin } from "./clean.ts";
import { parseDate } from "./date.ts";
import { checkKeywords } from "./keywords.ts";
import { keepSecret } from "./password.ts";
import { report, reportAt, settingsOf } from "./report.ts";

export interface BuildScope {
  write: FieldWrite;
  /** The prefix of a property's path: "", `card.`, `deck.itemId.`. */
  prefix: string;
}

/** Set by the service, not part of the shape. */
const ownKeys = new Set(["id", "created", "modified", "csrf_token"]);

/** All properties but `id`; at the top also without `created` and `modified`. In schema order. */
export function buildShape(schema: FlatSchema, sent: JsonObject, scope: BuildScope): JsonObject {
  const { write, prefix } = scope;
  const input = write.isLenient ? moveFormer(schema, sent) : sent;
  const built: JsonObject = {};
  const calculated: Property[] = [];
  for (const property of schema.properties.values()) {
    const { name } = property;
    if (name === "id" || (prefix === "" && ownKeys.has(name))) continue;
    if (typeof settingsOf(property).calc === "string" && !write.isLenient) calculated.push(property);
    else put(built, name, buildProperty(property, input, scope));
  }
  if (!schema.allowsUnknown && !write.isLenient) reportUnknown(schema, input, scope);
  if (calculated.length === 0) return built;
  for (const property of calculated) {
    put(built, property.name, buildProperty(property, { [property.name]: calculation(property, built, input) }, scope));
  }
  return inOrder(schema, built);
}

function put(target: JsonObject, name: string, value: Json | undefined): void {
  if (value !== undefined) target[name] = value;
}

function inOrder(schema: FlatSchema, built: JsonObject): JsonObject {
  const ordered: JsonObject = {};
  for (const name of schema.properties.keys()) put(ordered, name, built[name]);
  return ordered;
}

function reportUnknown(schema: FlatSchema, input: JsonObject, { write, prefix }: BuildScope): void {
  for (const name of Object.keys(input)) {
    if (schema.properties.has(name) || ownKeys.has(name)) continue;
    reportAt({ write }, prefix + name, `${name} is not a property of this schema`);
  }
}

export function buildProperty(property: Property, input: JsonObject, { write, prefix }: BuildScope): Json | undefined {
  const field: Field = { path: prefix + property.name, property, write };
  const isTop = prefix === "";
  const isSent = !isTop || !write.changed || write.changed.has(property.name);
  if (!isSent && property.kind.passwords) keepSecrets(field);
  const sent = sentValue(field, input);
  const isAskedFor = property.isRequired && !isHidden(property, input);
  if (property.isPassword) return isSent ? buildPassword(field, sent, isAskedFor) : undefined;
  const stamp = stampOf(field, sent, isTop);
  if (stamp !== undefined) return stamp;
  if (!isSent) return sent ?? defaultOf(field);
  const problems = write.problems.length;
  const value = sent === undefined || isUnsetDate(field, sent) ? defaultOf(field) : property.kind.coerce(sent, field);
  const isReported = write.problems.length > problems;
  if (write.isLenient) {
    if (!isReported) return value;
    write.problems.length = problems;
    return value ?? (sent !== undefined && property.kind.isShaped(sent) ? sent : defaultOf(field));
  }
  if (!isReported) check(field, value, isAskedFor);
  return value;
}

/** null counts as absent. Empty values may be generated. */
function sentValue({ property, write }: Field, input: JsonObject): Json | undefined {
  const sent = Object.hasOwn(input, property.name) ? (input[property.name] ?? undefined) : undefined;
  const { autogen } = settingsOf(property);
  if (typeof autogen !== "string" || write.isLenient || (sent !== undefined && sent !== "")) return sent;
  return generate(autogen, input, write);
}

/** Forms send an empty text for an untouched date; then the default applies. */
function isUnsetDate({ property, write }: Field, sent: Json): boolean {
  const { kind, definition } = property;
  return kind.type === "date" && sent === "" && (definition.default ?? null) !== null && !write.isLenient;
}

/** Those of the property and of everything in it. */
function keepSecrets({ path, write }: Field): void {
  for (const [key, hash] of Object.entries(write.stored)) {
    if (key === path || key.startsWith(`${path}.`)) write.secrets[key] = hash;
  }
}

function buildPassword(field: Field, sent: Json | undefined, isAskedFor: boolean): undefined {
  const { property, write, path } = field;
  if (write.isLenient) return;
  const problems = write.problems.length;
  if (sent === undefined) keepSecret(field);
  else property.kind.coerce(sent, field);
  if (isAskedFor && write.problems.length === problems && write.secrets[path] === undefined) {
    report(field, "is required");
  }
}

/** Dates set by the service. Below the top, and in imported data, a sent one counts. */
function stampOf({ property, write }: Field, sent: Json | undefined, isTop: boolean): string | undefined {
  const { onCreate, onUpdate } = settingsOf(property);
  if (property.kind.type !== "date" || (onCreate !== true && onUpdate !== true)) return undefined;
  const isOwned = isTop && !write.isTrusted;
  const given = isOwned || sent === undefined ? undefined : parseDate(sent, write.now);
  return given ?? (onUpdate === true ? write.modified : write.created);
}

/** An invalid default in the schema counts as none; the caller is not to blame. */
function defaultOf({ path, property, write }: Field): Json | undefined {
  const { default: value } = property.definition;
  if (value === undefined || value === null) return undefined;
  const problems: FieldWrite["problems"] = [];
  const made = property.kind.coerce(value, { path, property, write: { ...write, isLenient: true, problems } });
  return problems.length > 0 ? undefined : made;
}

/** By `settings.visibility`: a field that forms do not show is not asked for either. */
function isHidden(property: Property, input: JsonObject): boolean {
  const rule = readVisibility(settingsOf(property).visibility);
  return rule?.mode === "hide" && !isRuleMet(rule, input);
}

function check(field: Field, value: Json | undefined, isAskedFor: boolean): void {
  const { property, path } = field;
  const { kind } = property;
  if (isAskedFor && !kind.isUploaded && (value === undefined || isEmptyFor(property, value))) {
    report(field, "is required");
    return;
  }
  if (value === undefined) return;
  const isCompared = property.isIndexed || property.isUnique;
  if (isCompared && typeof value === "string" && !isWithin(value, maxIndexedText, field)) return;
  for (const failure of [...checkKeywords(value, property), ...checkAdded(value, property)]) {
    reportAt(field, failure.path === "" ? path : `${path}.${failure.path}`, failure.message);
  }
}

/** A definition with a minimum length decides itself whether a value may be empty. */
function isEmptyFor({ kind, definition }: Property, value: Json): boolean {
  return definition.minLength === undefined && definition.minItems === undefined && kind.isEmpty(value);
}

function calculation(property: Property, built: JsonObject, input: JsonObject): Json {
  const { calc, min, max } = settingsOf(property);
  const result = calculate(calc as string, built);
  if (result === undefined) return input[property.name] ?? null;
  const least = typeof min === "number" ? min : Number.NEGATIVE_INFINITY;
  const most = typeof max === "number" ? max : Number.POSITIVE_INFINITY;
  const clamped = Math.min(most, Math.max(least, result));
  return property.kind.type === "integer" ? Math.round(clamped) : clamped;
}

/** The text of every searchable property. */
export function shapeText(schema: FlatSchema, value: JsonObject): string {
  return joinSearched(schema.properties.values(), ({ name, kind, isPassword, item }) => {
    const part = value[name];
    return part !== undefined && !isPassword && name !== "id" ? (kind.text?.(part, item) ?? "") : "";
  });
}

/** The texts of the parts, up to the limit of searched words. */
export function joinSearched<T>(parts: Iterable<T>, textOf: (part: T) => string): string {
  let joined = "";
  for (const part of parts) {
    if (joined.length > maxSearchedText) break;
    const text = textOf(part);
    if (text !== "") joined += joined === "" ? text : ` ${text}`;
  }
  return joined;
}

/** The plain-text passwords in the sent values. */
export function shapePasswords(schema: FlatSchema, value: JsonObject): string[] {
  const found: string[] = [];
  for (const { name, kind, item } of schema.properties.values()) {
    const part = kind.passwords && Object.hasOwn(value, name) ? value[name] : undefined;
    if (part !== undefined && part !== null) found.push(...(kind.passwords?.(part, item) ?? []));
  }
  return found;
}
