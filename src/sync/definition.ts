// The jumpstart definition, which sync carries too: its type, and how a body is read as one.
// Only the form is checked here. Schemas, settings and objects are checked when the import is planned.

import { CairnError, type ErrorDetails, fail } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

/** A schema, the settings of a collection, or a template: each has an id. */
export type Identified = JsonObject & { id: string };

export interface ObjectItem {
  collection: string;
  id: string;
  data: JsonObject;
}

export interface TemplateItem {
  id: string;
  template: string;
  /** When it was last saved, where that is known. */
  updated?: string;
}

/** As the API takes it; it is checked when the import is planned. */
export interface RedirectItem {
  source: string;
  target: string;
  status: number;
}

export interface Definition {
  version: string;
  name: string;
  description: string;
  schemas: Identified[];
  collections: {
    /** A bare id means that the collection must exist, with any settings. */
    reserved: (string | Identified)[];
    custom: Identified[];
  };
  templates: TemplateItem[];
  objects: ObjectItem[];
  /** Of the website. Sync leaves them out: the receiver makes its own when pages move. */
  redirects: RedirectItem[];
  /** Rules for generated objects; the importer turns them into objects first. */
  factory: JsonObject[];
}

export const definitionVersion = "1.0.0";
const maxProblems = 200;

export function emptyDefinition(name: string, description = ""): Definition {
  return {
    version: definitionVersion,
    name,
    description,
    schemas: [],
    collections: { reserved: [], custom: [] },
    templates: [],
    objects: [],
    redirects: [],
    factory: [],
  };
}

export function isEmptyDefinition(definition: Definition): boolean {
  const { schemas, collections, templates, objects, redirects, factory } = definition;
  const { reserved, custom } = collections;
  return [schemas, reserved, custom, templates, objects, redirects, factory].every((list) => list.length === 0);
}

/** Collects problems, each under its place: `schemas.article`, `objects.builder-pages.home.title`. */
export class Problems {
  readonly details: ErrorDetails = Object.create(null);

  /** Enough problems for a report. */
  get isFull(): boolean {
    return Object.keys(this.details).length >= maxProblems;
  }

  add(place: string, ...messages: string[]): void {
    if (this.isFull && !this.details[place]) return;
    const known = this.details[place] ?? [];
    this.details[place] = [...known, ...messages.filter((message) => !known.includes(message))];
  }

  /** The messages of an error, under the place of its item. */
  addRefusal(place: string, error: unknown): void {
    const isAboutItem = error instanceof CairnError && ![401, 403].includes(error.status) && error.status < 500;
    if (!isAboutItem) throw error;
    const details = Object.entries(error.details ?? {});
    if (details.length === 0) this.add(place, error.message);
    for (const [property, messages] of details) this.add(`${place}.${property}`, ...messages);
  }

  /** Refuses the whole payload when there are problems. */
  refuse(): void {
    if (Object.keys(this.details).length === 0) return;
    fail("refused", "The payload was refused. Nothing has been changed.", { ...this.details });
  }
}

/** From a body: the definition itself, or an answer with it as `data`. */
export function readDefinition(body: Json | undefined, kind: "envelope" | "jumpstart" = "envelope"): Definition {
  if (!isJsonObject(body)) fail("invalid", "A definition must be a JSON object.");
  const input = isJsonObject(body.data) ? body.data : body;
  const problems = new Problems();
  const textAt = (key: "version" | "name" | "description", fallback: string): string => {
    const value = input[key] ?? fallback;
    if (typeof value === "string") return value;
    problems.add(key, `${key} must be text`);
    return fallback;
  };
  const definition: Definition = {
    version: textAt("version", definitionVersion),
    name: textAt("name", ""),
    description: textAt("description", ""),
    schemas: identified(listAt(input, "schemas", problems), "schemas", problems),
    collections: collectionsOf(input, kind, problems),
    templates: templatesOf(listAt(input, "templates", problems), problems),
    objects: objectsOf(listAt(input, "objects", problems), problems),
    redirects: redirectsOf(listAt(input, "redirects", problems), problems),
    factory: objectsIn(listAt(input, "factory", problems), "factory", problems),
  };
  problems.refuse();
  return definition;
}

function listAt(input: JsonObject, key: string, problems: Problems, place = key): Json[] {
  const value = input[key] ?? [];
  if (Array.isArray(value)) return value;
  problems.add(place, `${key} must be a list`);
  return [];
}

function objectsIn(items: Json[], place: string, problems: Problems): JsonObject[] {
  return items.filter((item, at): item is JsonObject => {
    if (!isJsonObject(item)) problems.add(`${place}.${at}`, "must be an object");
    return isJsonObject(item);
  });
}

function identified(items: Json[], place: string, problems: Problems): Identified[] {
  const seen = new Set<string>();
  return objectsIn(items, place, problems).filter((item, at): item is Identified => {
    if (typeof item.id !== "string" || item.id === "") problems.add(`${place}.${at}.id`, "Id is required");
    else if (seen.has(item.id)) problems.add(`${place}.${item.id}`, "is there twice");
    else seen.add(item.id);
    return typeof item.id === "string";
  });
}

/** Split into reserved and custom; in an envelope also one list of settings. */
function collectionsOf(
  { collections = {} }: JsonObject,
  kind: "envelope" | "jumpstart",
  problems: Problems,
): Definition["collections"] {
  if (kind === "envelope" && Array.isArray(collections))
    return { reserved: [], custom: identified(collections, "collections", problems) };
  if (!isJsonObject(collections)) {
    problems.add("collections", "collections must be an object of reserved and custom");
    return { reserved: [], custom: [] };
  }
  const listed = listAt(collections, "reserved", problems, "collections.reserved");
  const bare = new Set(listed.filter((item) => typeof item === "string"));
  const records = listed.filter((item) => typeof item !== "string");
  return {
    reserved: [...bare, ...identified(records, "collections.reserved", problems)],
    custom: identified(listAt(collections, "custom", problems, "collections.custom"), "collections.custom", problems),
  };
}

function templatesOf(items: Json[], problems: Problems): TemplateItem[] {
  return identified(items, "templates", problems).flatMap(({ id, template, updated }) => {
    if (typeof template === "string") return [{ id, template, ...(typeof updated === "string" && { updated }) }];
    problems.add(`templates.${id}.template`, "template must be text");
    return [];
  });
}

function redirectsOf(items: Json[], problems: Problems): RedirectItem[] {
  return objectsIn(items, "redirects", problems).flatMap(({ source, target = "", status = 301 }, at) => {
    if (typeof source === "string" && typeof target === "string" && typeof status === "number")
      return [{ source, target, status }];
    problems.add(`redirects.${at}`, "must have source and target as text, and status as a number");
    return [];
  });
}

function objectsOf(items: Json[], problems: Problems): ObjectItem[] {
  const seen = new Set<string>();
  return objectsIn(items, "objects", problems).flatMap(({ collection, id, data = {} }, at) => {
    if (typeof collection !== "string") problems.add(`objects.${at}.collection`, "Collection is required");
    if (typeof id !== "string") problems.add(`objects.${at}.id`, "Id is required");
    if (!isJsonObject(data)) problems.add(`objects.${at}.data`, "data must be an object");
    if (typeof collection !== "string" || typeof id !== "string" || !isJsonObject(data)) return [];
    const place = `objects.${collection}.${id}`;
    if (seen.has(place)) problems.add(place, "is there twice");
    seen.add(place);
    return [{ collection, id, data }];
  });
}
