// Generated objects: from the factory items of a definition to objects with values, before anything is written.
// The same definition makes the same objects, so a second import finds them. All problems are reported at once.

import { hash } from "node:crypto";
import type { Faker } from "@faker-js/faker";
import type * as FakerModule from "@faker-js/faker/locale/en";
import { slug } from "#base/ids.ts";
import { lazily } from "#base/lazy.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { settingsOf } from "#schemas/fields/report.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import type { ObjectItem, Problems } from "#sync/definition.ts";
import { type Related, relatedCollection } from "#sync/related.ts";
import { BadArgument, type Made, media } from "./factory-parts.ts";
import { type Call, readRule } from "./factory-rules.ts";

const fakerModule = lazily<typeof FakerModule>("@faker-js/faker/locale/en");

export const maxCount = 10_000;
/** Of all items together. */
const maxTotal = 20_000;
const uniqueTries = 50;

export interface FactoryItem {
  collection: string;
  count: number;
  /** The id of the one object. */
  id: string | undefined;
  seed: number;
  data: JsonObject;
  /** The place in error details: `factory.0`. */
  place: string;
}

/** From the sent items. Problems are collected. */
export function readFactory(items: readonly JsonObject[], problems: Problems): FactoryItem[] {
  const read = items.flatMap((item, at) => readItem(item, `factory.${at}`, problems) ?? []);
  const total = read.reduce((sum, { count }) => sum + count, 0);
  if (total > maxTotal) problems.add("factory", `asks for ${total} objects; ${maxTotal} is the most`);
  return read;
}

function readItem(item: JsonObject, place: string, problems: Problems): FactoryItem | undefined {
  const { collection, count = 1, id, seed, data = {} } = item;
  const complain = (key: string, message: string) => problems.add(`${place}.${key}`, message);
  if (typeof collection !== "string" || collection === "") complain("collection", "Collection is required");
  if (id !== undefined && (typeof id !== "string" || id === "")) complain("id", "must be text");
  if (typeof count !== "number" || !Number.isInteger(count) || count < 0 || count > maxCount) {
    complain("count", `must be a whole number from 0 to ${maxCount}`);
  }
  if (seed !== undefined && !Number.isSafeInteger(seed)) complain("seed", "must be a whole number");
  if (!isJsonObject(data)) complain("data", "data must be an object");
  else
    for (const [name, value] of Object.entries(data)) checkRule(value, (message) => complain(`data.${name}`, message));
  if (typeof collection !== "string" || typeof count !== "number" || !isJsonObject(data)) return undefined;
  return {
    ...{ collection, data, place },
    count: typeof id === "string" ? 1 : count,
    id: typeof id === "string" ? id : undefined,
    seed:
      typeof seed === "number" ? seed : Number.parseInt(hash("sha1", `${place}:${collection}`, "hex").slice(0, 8), 16),
  };
}

/** Tried once, so that invalid arguments are reported before anything is made. */
function checkRule(value: Json, complain: (message: string) => void): void {
  const call = typeof value === "string" ? readRule(value) : undefined;
  if (typeof call === "string") complain(call);
  else if (call) {
    try {
      run(fakerModule().faker, call, new Date());
    } catch (error) {
      if (!(error instanceof BadArgument)) throw error;
      complain(`The rule ${error.message}`);
    }
  }
}

function run(faker: Faker, { rule, args }: Call, now: Date): Made {
  return rule(faker, args, now);
}

export interface MakeOptions {
  /** ISO time. */
  now: string;
  related?: Related;
}

/** The objects of one item, each with an id that none of the others has. */
export function makeObjects(
  item: FactoryItem,
  schema: FlatSchema,
  { now, related = new Map() }: MakeOptions,
): ObjectItem[] {
  const { faker } = fakerModule();
  faker.seed(item.seed);
  // Relative times count from the day, so that all imports of one day make the same objects.
  const today = new Date(now.slice(0, 10));
  const plan = planValues(schema, item.data, related);
  const ids = new Map<string, number>();
  const taken = new Map<string, Set<Json>>();
  return Array.from({ length: item.count }, () => {
    const data: JsonObject = {};
    for (const { name, make, isUnique } of plan) {
      const value = isUnique ? makeUnique(taken, name, () => make(faker, today)) : make(faker, today);
      if (value !== undefined) data[name] = value;
    }
    const { id: made, ...rest } = data;
    const id = item.id ?? freeId(ids, made ?? rest.title ?? rest.name ?? faker.lorem.word());
    return { collection: item.collection, id, data: rest };
  });
}

interface PlannedValue {
  name: string;
  isUnique: boolean;
  make(faker: Faker, now: Date): Json | undefined;
}

/** In this order: rules and values of the item, rules of the schema, ids to choose from, values for required properties. */
function planValues(schema: FlatSchema, data: JsonObject, related: Related): PlannedValue[] {
  const own = Object.entries(data).map(([name, value]) => plan(name, schema.properties.get(name), value));
  const others = [...schema.properties.values()].filter(({ name }) => name !== "id" && !Object.hasOwn(data, name));
  const filled = others.map((property) => {
    const { name, definition } = property;
    const ids = related.get(relatedCollection(property) ?? "") ?? [];
    if (definition.factory === undefined && ids.length > 0) return choose(property, ids);
    const rule = definition.factory ?? (isNeeded(property) ? fittingRule(property) : undefined);
    return rule === undefined ? undefined : plan(name, property, rule);
  });
  return [...own, ...filled].filter((value) => value !== undefined);
}

function choose({ name, kind }: Property, ids: readonly string[]): PlannedValue {
  const isList = kind.type === "list" || kind.type === "array";
  return {
    name,
    isUnique: false,
    make: (faker) => (isList ? [faker.helpers.arrayElement(ids)] : faker.helpers.arrayElement(ids)),
  };
}

function plan(name: string, property: Property | undefined, value: Json): PlannedValue | undefined {
  if (property?.kind.isUploaded) return undefined;
  const call = typeof value === "string" ? readRule(value) : undefined;
  const isUnique = property?.isUnique ?? false;
  // A text in the schema that is not a rule is an ordinary value.
  if (call === undefined || typeof call === "string") return { name, isUnique: false, make: () => value };
  return { name, isUnique, make: (faker, now) => fitted(run(faker, call, now), property) };
}

/** In the form of the property: not too long, in paragraphs for HTML, a list for lists. */
function fitted(made: Made, property: Property | undefined): Json | undefined {
  if (made === media) return undefined;
  if (typeof made !== "string" || !property) return made;
  if (property.kind.type === "list" || property.kind.type === "array") return made.split("\n\n");
  const isHtml = property.definition.field === "styledtext" && !made.startsWith("<");
  const text = isHtml
    ? made
        .split("\n\n")
        .map((part) => `<p>${part}</p>`)
        .join("")
    : made;
  const { maxLength } = property.definition;
  return typeof maxLength === "number" && !isHtml ? text.slice(0, maxLength).trim() : text;
}

function isNeeded({ isRequired, definition }: Property): boolean {
  return isRequired && (definition.default === undefined || definition.default === "");
}

/** The value of a required property without a rule. */
function fittingRule(property: Property): Json | undefined {
  const { definition, kind } = property;
  const choices = [definition.enum, definition.options].find(
    (list) => Array.isArray(list) && list.length > 0,
  ) as Json[];
  const first = choices?.[0];
  if (first !== undefined) return isJsonObject(first) ? (first.value ?? null) : first;
  const settings = settingsOf(property);
  if (settings.onCreate === true || settings.onUpdate === true) return undefined;
  const byType: Partial<Record<typeof kind.type, string>> = {
    string: definition.field === "text" || definition.field === undefined ? "sentence(4)" : "paragraph",
    code: "word",
    color: "#4d91e2",
    number: "numberBetween(1,100)",
    integer: "numberBetween(1,100)",
    rating: "numberBetween(1,5)",
    boolean: "boolean",
    date: "iso8601",
    time: "time",
    email: "email",
    phone: "phoneNumber",
    url: "url",
    slug: "slug",
    password: "password",
    list: "tags(1,3)",
    array: "tags(1,3)",
  };
  return byType[kind.type];
}

function makeUnique(taken: Map<string, Set<Json>>, name: string, make: () => Json | undefined): Json | undefined {
  const known = taken.get(name) ?? new Set();
  taken.set(name, known);
  let value = make();
  for (let tries = 0; value !== undefined && known.has(value) && tries < uniqueTries; tries += 1) value = make();
  if (typeof value === "string" && known.has(value)) value = `${value} ${known.size + 1}`;
  if (value !== undefined) known.add(value);
  return value;
}

/** `ids`: how often each was used. */
function freeId(ids: Map<string, number>, wanted: Json): string {
  const base = slug(String(wanted)).slice(0, 150).replace(/-$/, "") || "object";
  for (;;) {
    const number = (ids.get(base) ?? 0) + 1;
    ids.set(base, number);
    const id = number === 1 ? base : `${base}-${number}`;
    if (number === 1 || !ids.has(id)) return id;
  }
}
