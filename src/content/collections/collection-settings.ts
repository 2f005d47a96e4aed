// The settings record of a collection: valid values, defaults, and how input becomes the stored form.
// Pure: knows no database. Only values that differ from the defaults are stored, so that defaults may follow the schema.

import { isDeepStrictEqual } from "node:util";
import { parseDuration } from "#base/durations.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { type CollectionConfig, forbiddenCollectionIds, type Operation, operations } from "#contract/collections.ts";
import { historyModes } from "#contract/history.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { correctionOf } from "#rules/near-names.ts";
import { savedQueriesProblem } from "./saved-queries.ts";
import { readViews } from "./saved-views.ts";

const maxIdLength = 100;
const maxRecordBytes = 256 * 1024;

/** Part of answers, but never taken from a caller; `csrf_token` belongs to the transport. */
const serviceOwned = new Set(["count", "totalObjects", "lastUpdated", "updated", "index", "csrf_token"]);

const labels: Readonly<Record<string, readonly [plural: string, singular: string]>> = {
  auth: ["Users", "User"],
  blog: ["Posts", "Post"],
  "builder-page": ["Pages", "Page"],
  code: ["Snippets", "Snippet"],
  color: ["Colors", "Color"],
  date: ["Dates", "Date"],
  depot: ["Depots", "Depot"],
  email: ["Emails", "Email"],
  feed: ["Posts", "Post"],
  file: ["Files", "File"],
  gallery: ["Galleries", "Gallery"],
  image: ["Images", "Image"],
  mailer: ["Emails", "Email"],
  number: ["Numbers", "Number"],
  playground: ["Snippets", "Snippet"],
  styledtext: ["Content", "Styled Text"],
  svg: ["SVGs", "SVG"],
  text: ["Content", "Text"],
  toggle: ["Toggles", "Toggle"],
  url: ["URLs", "URL"],
};

function defaultsFor(id: string, schema: string): CollectionConfig {
  const [labelPlural, labelSingular] = labels[schema] ?? ["", ""];
  return {
    id,
    name: id.charAt(0).toUpperCase() + id.slice(1),
    schema,
    description: `A collection of ${id} objects that conform to the ${schema} schema.`,
    url: "",
    prettyUrl: false,
    category: "",
    labelPlural,
    labelSingular,
    groups: [],
    publicOperations: [],
    sortBy: "id",
    reverseSort: false,
    queueRebuildOnSave: false,
    requireEmailVerification: false,
    singleton: false,
    mcp: { access: "admin" },
  };
}

/** The whole record, from the stored one. */
export function fillSettings(stored: JsonObject): CollectionConfig {
  const defaults = defaultsFor(String(stored.id), String(stored.schema));
  const mcp = { ...defaults.mcp, ...(isJsonObject(stored.mcp) ? stored.mcp : {}) };
  return { ...defaults, ...stored, mcp };
}

/** The stored form of a filled record: values that differ from the defaults. */
export function stripDefaults(config: CollectionConfig): JsonObject {
  const defaults: CollectionConfig = defaultsFor(config.id, config.schema);
  const stored: JsonObject = { id: config.id, schema: config.schema };
  for (const [key, value] of Object.entries(config)) {
    if (value !== undefined && !isDeepStrictEqual(value, defaults[key])) stored[key] = value;
  }
  return stored;
}

export interface Merging {
  /** What was stored before: keys of no meaning that it has may be sent again. Undefined: all keys may be (sync). */
  known: JsonObject | undefined;
  /** What else is wrong, where something is. */
  more?: ((sortBy: string) => ErrorDetails) | undefined;
}

/**
 * Merges sent values into a stored record (for PUT and create: into one of id and schema only).
 * A null, or an empty card, resets the key to its default. Fails with every invalid key at once. Unknown keys are kept,
 * unless they come near a known one: that is a mistake in writing.
 */
export function mergeSettings(
  stored: JsonObject,
  input: JsonObject,
  { known, more }: Merging = { known: {} },
): CollectionConfig {
  const details: ErrorDetails = {};
  const merged = { ...stored };
  for (const [key, value] of Object.entries(input)) {
    if (serviceOwned.has(key) || key === "id") continue;
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (value === null || (rule?.isCard && isEmptyCard(value))) {
      if (key !== "schema") delete merged[key];
      continue;
    }
    const misspelt = known && findMisspelt(key, value, known[key]);
    const result = misspelt ? { problem: misspelt } : rule ? rule.read(value) : { value };
    if ("value" in result) merged[key] = result.value;
    else details[key] = [result.problem];
  }
  if (Object.keys(details).length > 0) {
    const { sortBy } = merged;
    const found = more && typeof sortBy === "string" ? more(sortBy) : {};
    fail("invalid", "The collection settings are not valid.", { ...found, ...details });
  }
  if (Buffer.byteLength(JSON.stringify(merged)) > maxRecordBytes) {
    fail("invalid", `The collection settings must not be larger than ${maxRecordBytes / 1024} kB.`);
  }
  return fillSettings(merged);
}

/** A key, or one in a card, that looks like a known one and was not stored before. */
function findMisspelt(key: string, value: Json, before: Json | undefined): string | undefined {
  if (!Object.hasOwn(rules, key)) {
    const near = isDeepStrictEqual(value, before) ? "" : correctionOf(key, [...Object.keys(rules), ...serviceOwned]);
    return near && `There is no such setting.${near}`;
  }
  const names = rules[key]?.names;
  if (!names || !isJsonObject(value)) return undefined;
  const stored = isJsonObject(before) ? before : {};
  for (const name of Object.keys(value)) {
    if (names.includes(name) || Object.hasOwn(stored, name)) continue;
    const near = correctionOf(name, names);
    if (near) return `has no key ${JSON.stringify(name.slice(0, 60))}.${near}`;
  }
  return undefined;
}

/** Keys of sent settings that have no effect, and those in a card: `feed`, `mcp.colour`. */
export function unusedSettings(sent: Json): string[] {
  if (!isJsonObject(sent)) return [];
  return Object.entries(sent).flatMap(([key, value]) => {
    if (serviceOwned.has(key) || key === "id") return [];
    if (!Object.hasOwn(rules, key)) return [key];
    const names = rules[key]?.names;
    if (!names || !isJsonObject(value)) return [];
    return Object.keys(value).flatMap((name) => (names.includes(name) ? [] : `${key}.${name}`));
  });
}

/** What a PUT and an import keep where they do not name it: the history goes on. */
export function historyOf({ history }: JsonObject): JsonObject {
  return history === undefined ? {} : { history };
}

export function isSameConfig(a: CollectionConfig, b: CollectionConfig): boolean {
  return isDeepStrictEqual(stripDefaults(a), stripDefaults(b));
}

export function checkCollectionId(id: Json | undefined): string {
  const problem = collectionIdProblem(id);
  if (problem) fail("invalid", "The collection id is not valid.", { id: [problem] });
  return id as string;
}

function collectionIdProblem(id: Json | undefined): string | undefined {
  if (id === undefined || id === null || id === "") return "is required";
  if (typeof id !== "string" || !isSlug(id)) return "must be lower-case letters, digits, _ and single hyphens";
  if (id.length > maxIdLength) return `must not be longer than ${maxIdLength} characters`;
  return forbiddenCollectionIds.includes(id) ? "is reserved by the service" : undefined;
}

function isSlug(text: string): boolean {
  return /^[a-z0-9_]+(-[a-z0-9_]+)*$/.test(text) && !["__proto__", "constructor", "prototype"].includes(text);
}

function isEmptyCard(value: Json): boolean {
  return value === "" || ((Array.isArray(value) || isJsonObject(value)) && Object.keys(value).length === 0);
}

type Result = { value: Json } | { problem: string };

interface Rule {
  read(value: Json): Result;
  /** Left out of the record while empty; forms send "" for that. */
  isCard?: true;
  /** The keys that have a meaning in it. */
  names?: readonly string[];
}

const must = (expected: string, isRight: (value: Json) => boolean): Rule => ({
  read: (value) => (isRight(value) ? { value } : { problem: `must be ${expected}` }),
});

const isText = (value: Json): value is string => typeof value === "string";
const isTexts = (value: Json): value is string[] => Array.isArray(value) && value.every(isText);
const isMapOf = (isRight: (value: Json) => boolean) => (value: Json) =>
  isJsonObject(value) && Object.values(value).every(isRight);

const text = must("text", isText);
const flag = must("true or false", (value) => typeof value === "boolean");

function card(checks: { [key: string]: [expected: string, isRight: (value: Json) => boolean] }): Rule {
  return {
    isCard: true,
    names: Object.keys(checks),
    read(value) {
      if (!isJsonObject(value)) return { problem: "must be an object" };
      for (const [key, [expected, isRight]] of Object.entries(checks)) {
        const part = value[key];
        if (part !== undefined && !isRight(part)) return { problem: `${key} must be ${expected}` };
      }
      return { value };
    },
  };
}

const oneOf = (...words: string[]): [string, (value: Json) => boolean] => [
  `one of ${words.filter(Boolean).join(", ")}`,
  (value) => isText(value) && words.includes(value),
];
const aText: [string, (value: Json) => boolean] = ["text", isText];
const aFlag: [string, (value: Json) => boolean] = ["true or false", (value) => typeof value === "boolean"];

const mcpCard = card({ access: oneOf("public", "authenticated", "admin"), description: aText, resource: aFlag });

const rules: Readonly<Record<string, Rule>> = {
  schema: must("the id of a schema", (value) => isText(value) && isSlug(value)),
  name: must("text of 1 to 200 characters", (value) => isText(value) && value.trim() !== "" && value.length <= 200),
  description: text,
  url: { read: readUrl },
  prettyUrl: flag,
  category: text,
  labelPlural: text,
  labelSingular: text,
  groups: { read: (value) => (isTexts(value) ? { value: unique(value) } : { problem: "must be a list of group ids" }) },
  publicOperations: {
    read: (value) =>
      isTexts(value) && value.every((word) => operations.includes(word as Operation))
        ? { value: unique(value) }
        : { problem: `must be a list of ${operations.join(", ")}` },
  },
  sortBy: {
    read: (value) => (isText(value) ? { value: value.trim() || "id" } : { problem: "must be a property name" }),
  },
  reverseSort: flag,
  queueRebuildOnSave: flag,
  requireEmailVerification: flag,
  singleton: flag,
  publicFiles: flag,
  onSite: flag,
  properties: { ...must("a map of property definitions", isMapOf(isJsonObject)), isCard: true },
  customProperties: {
    ...must("a map of object ids to property definitions", isMapOf(isMapOf(isJsonObject))),
    isCard: true,
  },
  formSettings: card({ helpStyle: oneOf("label", "tooltip", "box", ""), helpOnHover: aFlag, helpOnFocus: aFlag }),
  manualSort: { ...must("a map of properties to lists of values", isMapOf(Array.isArray)), isCard: true },
  sitemap: card({
    enabled: aFlag,
    date: aText,
    frequency: oneOf("always", "hourly", "daily", "weekly", "monthly", "yearly", "never", ""),
    priority: ["a number from 0 to 1", (value) => typeof value === "number" && value >= 0 && value <= 1],
    include: aText,
    exclude: aText,
  }),
  history: { read: readHistory, isCard: true, names: ["mode", "versions", "keep", "trash"] },
  forms: { ...must("an object of forms by name", isMapOf(isJsonObject)), isCard: true },
  views: { isCard: true, read: readViews },
  mcp: {
    isCard: true,
    names: ["access", "description", "resource", "tools"],
    read(value) {
      const problem = isJsonObject(value) && value.tools !== undefined ? savedQueriesProblem(value.tools) : undefined;
      return problem ? { problem: `tools ${problem}` } : mcpCard.read(value);
    },
  },
};

const isMode = (value: Json | undefined) => historyModes.some((mode) => mode === value);
const isPeriod = (value: Json | undefined) => isText(value ?? null) && parseDuration(String(value)) !== undefined;

/** A mode, or an object that also says how long, and how much. */
function readHistory(value: Json): Result {
  const modes = `one of ${historyModes.join(", ")}`;
  if (isText(value)) return isMode(value) ? { value } : { problem: `must be ${modes}, or an object` };
  if (!isJsonObject(value)) return { problem: `must be ${modes}, or an object` };
  const { mode, versions } = value;
  if (!isMode(mode)) return { problem: `mode must be ${modes}` };
  if (versions !== undefined && !(Number.isSafeInteger(versions) && Number(versions) >= 1))
    return { problem: "versions must be a whole number from 1 on" };
  for (const name of ["keep", "trash"])
    if (value[name] !== undefined && !isPeriod(value[name]))
      return { problem: `${name} must be a duration such as P30D` };
  return { value };
}

function unique(words: string[]): string[] {
  return [...new Set(words)];
}

/** A full URL is cut to its path; the result begins with exactly one slash, so that it never names a different host. */
function readUrl(value: Json): Result {
  if (!isText(value)) return { problem: "must be text" };
  const trimmed = value.trim();
  if (trimmed === "") return { value: "" };
  if (/[\p{Cc}\\]/u.test(trimmed)) return { problem: "must be a path" };
  const full = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*([^?#]*)/i.exec(trimmed);
  return { value: (full ? (full[1] ?? "") : trimmed).replace(/^\/*/, "/") };
}
