// Reads a starter site from `starters/{name}` of the installation: a definition in parts, templates, and files. It only reads.
//   starter.json          version, name, description; groups and settings
//   schemas/*.json, collections.json, objects/{collection}.json
//   builder/**            templates, and texts of languages
//   public/**             files of the site
//   files/{collection}/{object}/{property}/*

import { readdir, readFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { fail } from "#base/errors.ts";
import type { Json, JsonObject } from "#contract/json.ts";

export const starterNames = ["walks", "minimal", "empty"] as const;
export type StarterName = (typeof starterNames)[number];

const starters = resolve(import.meta.dirname, "../../../starters");
const templateEnding = ".liquid";

export interface StarterFile {
  collection: string;
  object: string;
  property: string;
  name: string;
  path: string;
}

export interface Starter {
  definition: JsonObject & { templates: { id: string; template: string }[] };
  groups: JsonObject[];
  /** By their dotted keys. */
  settings: JsonObject;
  /** By object, in the order of their names. */
  files: StarterFile[];
  /** Below `public/` and `builder/locales/`: the path there, and where it is stored here. */
  publicFiles: Map<string, string>;
  localeFiles: Map<string, string>;
}

export function checkStarterName(name: string): StarterName {
  const known = starterNames.find((one) => one === name);
  return known ?? fail("invalid", `There is no starter "${name}". Choose one of: ${starterNames.join(", ")}.`);
}

export async function readStarter(name: StarterName): Promise<Starter> {
  const folder = join(starters, name);
  const paths = await listFiles(folder);
  const below = (start: string) => paths.filter((path) => path.startsWith(start));
  const { groups = [], settings = {}, ...about } = (await readJson(folder, "starter.json")) as JsonObject;
  const schemas = await Promise.all(below("schemas/").map((path) => readJson(folder, path)));
  const objects = await Promise.all(below("objects/").map((path) => readObjects(folder, path)));
  const templates = await Promise.all(
    below("builder/").flatMap((path) => (path.endsWith(templateEnding) ? [readTemplate(folder, path)] : [])),
  );
  const collections = paths.includes("collections.json") ? await readJson(folder, "collections.json") : {};
  const placed = (start: string) =>
    new Map(below(start).map((path) => [path.slice(start.length), join(folder, path)] as const));
  return {
    definition: { ...about, schemas, collections, templates, objects: objects.flat() },
    groups: groups as JsonObject[],
    settings: settings as JsonObject,
    files: below("files/").flatMap((path) => fileAt(folder, path) ?? []),
    publicFiles: placed("public/"),
    localeFiles: placed("builder/locales/"),
  };
}

/** With slashes, in order. */
async function listFiles(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join("/"),
    )
    .sort();
}

async function readJson(folder: string, path: string): Promise<Json> {
  return JSON.parse(await readFile(join(folder, path), "utf8")) as Json;
}

async function readObjects(folder: string, path: string): Promise<JsonObject[]> {
  const collection = path.slice("objects/".length, -".json".length);
  return ((await readJson(folder, path)) as JsonObject[]).map((object) => ({ collection, ...object }));
}

async function readTemplate(folder: string, path: string): Promise<{ id: string; template: string }> {
  const id = path.slice("builder/".length, -templateEnding.length);
  return { id, template: await readFile(join(folder, path), "utf8") };
}

function fileAt(folder: string, path: string): StarterFile | undefined {
  const [, collection, object, property, name] = path.split("/");
  if (!collection || !object || !property || !name) return undefined;
  return { collection, object, property, name, path: join(folder, path) };
}
