// The definitions of a checkout, for a release from git: `schemas/*.json` or `.schemas/*.json`, `collections/*.json`,
// `builder/**/*.liquid` and `settings.json` in one folder. What is not there is not asked for: nothing is ever deleted.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "#base/errors.ts";
import { parseLargeJson } from "#base/json.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { ImportReport } from "#contract/transfer.ts";
import { isBuiltIn } from "#schemas/find-schema.ts";
import { listTemplateFiles, readTemplateFile } from "#site/template-files.ts";
import { applyDefinition, tryDefinition } from "./apply-definition.ts";
import { emptyDefinition, readDefinition } from "./definition.ts";

export interface Checkout {
  definition: JsonObject;
  /** Nested by section; empty where there is no file. */
  settings: JsonObject;
}

export async function readCheckout(folder: string): Promise<Checkout> {
  const names = await readdir(folder).catch(() => fail("invalid", `${folder} is not a folder that can be read.`));
  const has = (name: string) => names.includes(name);
  const schemas = await readObjects(join(folder, has("schemas") ? "schemas" : ".schemas"));
  const collections = await readObjects(join(folder, "collections"));
  const builder = join(folder, "builder");
  const templates: JsonObject[] = [];
  for (const { id } of has("builder") ? await listTemplateFiles(builder) : []) {
    const stored = await readTemplateFile(builder, id);
    if (stored) templates.push({ id, template: stored.text });
  }
  const [reserved, custom] = [true, false].map((wanted) =>
    collections.filter(({ id }) => isBuiltIn(String(id)) === wanted),
  );
  const settings = has("settings.json") ? await readObject(join(folder, "settings.json")) : {};
  if (schemas.length + collections.length + templates.length + Object.keys(settings).length === 0)
    fail("invalid", `There are no schemas, collections, templates or settings in ${folder}.`);
  const definition = { ...emptyDefinition("checkout"), schemas, collections: { reserved, custom }, templates };
  return { definition: definition as unknown as JsonObject, settings };
}

/** All of it or nothing. */
export async function deployCheckout(ctx: Context, { definition }: Checkout, dryRun: boolean): Promise<ImportReport> {
  const wanted = readDefinition(definition);
  return dryRun ? tryDefinition(ctx, wanted, "upsert") : applyDefinition(ctx, wanted, "upsert");
}

/** The name of a file is the id of what it defines. */
async function readObjects(folder: string): Promise<JsonObject[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const objects: JsonObject[] = [];
  for (const name of names.filter((one) => one.endsWith(".json")).sort())
    objects.push({ ...(await readObject(join(folder, name))), id: name.slice(0, -".json".length) });
  return objects;
}

async function readObject(file: string): Promise<JsonObject> {
  let content: Json;
  try {
    content = parseLargeJson(await readFile(file));
  } catch {
    return fail("invalid", `${file} is not valid JSON.`);
  }
  return isJsonObject(content) ? content : fail("invalid", `${file} must contain a JSON object.`);
}
