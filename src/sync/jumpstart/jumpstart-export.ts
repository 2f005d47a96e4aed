// Exports this installation as a jumpstart definition: the parts that the caller chooses and may read.
// Written piece by piece, in flat memory. It holds no files, passwords or users.

import { allow, isAllowed } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { slug } from "#base/ids.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { fillSettings } from "#content/collections/collection-settings.ts";
import { seesDrafts } from "#content/collections/open-collection.ts";
import { isDraft, storedDocument } from "#content/objects/stored-document.ts";
import { checkText, findText, type Params } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import { reservedCollections } from "#contract/collections.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { longAnswer } from "#lanes/caller.ts";
import { exportRedirects } from "#redirects/redirects.ts";
import { customSchemaIds, findRawSchema } from "#schemas/find-schema.ts";
import { listTemplateFiles, readTemplateFile, templatePlace } from "#site/template-files.ts";
import { type CollectionRow, listCollectionRows } from "#storage/tables/collections.ts";
import { iterateObjects } from "#storage/tables/objects.ts";
import { definitionVersion } from "#sync/definition.ts";
import { ownedBy, withoutLocal } from "#sync/receiver-owned.ts";

const batchSize = 200;
/** The users, and the scratchpad of each installation. */
const neverExported = new Set(["auth", "playground"]);

export interface JumpstartChoice {
  name?: string | undefined;
  description?: string | undefined;
  /** Ids; undefined: all of them. */
  schemas?: readonly string[] | undefined;
  collections?: readonly string[] | undefined;
  objects: boolean;
  templates: boolean;
}

/** From query parameters. */
export function readChoice(params: Params): JumpstartChoice {
  const list = (name: string): string[] | undefined => {
    if (params[name] === undefined) return undefined;
    return checkText(name, params[name])
      .split(",")
      .flatMap((id) => id.trim() || []);
  };
  return {
    name: findText(params, "name"),
    description: findText(params, "description"),
    schemas: list("schemas"),
    collections: list("collections"),
    objects: findText(params, "objects") !== "false",
    templates: findText(params, "templates") !== "false",
  };
}

export interface JumpstartExport {
  /** For the file. */
  fileName: string;
  text: AsyncIterable<string>;
  /** Complete once the text has been read. */
  counts: { schemas: number; collections: number; templates: number; objects: number; redirects: number };
}

export async function exportJumpstart(ctx: Context, choice: JumpstartChoice): Promise<JumpstartExport> {
  allow(ctx, "read", { kind: "util", util: "jumpstart" });
  const stored = await listCollectionRows(ctx.storage);
  refuseUnknown("schemas", choice.schemas, customSchemaIds(ctx));
  refuseUnknown(
    "collections",
    choice.collections,
    stored.map(({ id }) => id),
  );
  const schemas = chosen(customSchemaIds(ctx), choice.schemas).filter((schema) =>
    isAllowed(ctx.actor, "read", { kind: "schemas", schema }),
  );
  const rows = stored.filter(({ id, isDeleting }) => {
    if (isDeleting || neverExported.has(id) || (choice.collections && !choice.collections.includes(id))) return false;
    return isAllowed(ctx.actor, "read", { kind: "collections", collection: id });
  });
  const counts = { schemas: schemas.length, collections: rows.length, templates: 0, objects: 0, redirects: 0 };
  return { fileName: fileName(ctx, choice.name), text: write(ctx, choice, { schemas, rows, counts }), counts };
}

function refuseUnknown(key: string, wanted: readonly string[] | undefined, known: readonly string[]): void {
  const unknown = (wanted ?? []).filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  fail("invalid", `There are no ${key} of these ids.`, { [key]: unknown.map((id) => `There is no "${id}"`) });
}

function chosen(all: readonly string[], wanted: readonly string[] | undefined): string[] {
  return all.filter((id) => wanted === undefined || wanted.includes(id));
}

function fileName(ctx: Context, name: string | undefined): string {
  const stamp = ctx.clock.iso().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `jumpstart-${name === undefined ? "export" : slug(name) || "export"}-${stamp}.json`;
}

interface Parts {
  schemas: string[];
  rows: CollectionRow[];
  counts: JumpstartExport["counts"];
}

async function* write(ctx: Context, choice: JumpstartChoice, { schemas, rows, counts }: Parts): AsyncIterable<string> {
  const { name = "Cairn site", description = `Exported on ${ctx.clock.iso().slice(0, 10)}` } = choice;
  const head = { version: definitionVersion, name, description, collections: collectionsOf(rows) };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n`;
  yield* list("schemas", each(schemas.map((id) => findRawSchema(ctx, id) as unknown as Json)));
  yield ",\n";
  yield* list("templates", choice.templates ? templatesOf(ctx, counts) : each([]));
  yield ",\n";
  yield* list("objects", choice.objects ? objectsOf(ctx, rows, counts) : each([]));
  yield ",\n";
  yield* list("redirects", choice.templates ? redirectsOf(ctx, counts) : each([]));
  yield ',\n  "factory": []\n}\n';
}

async function* list(key: string, items: AsyncIterable<Json>): AsyncIterable<string> {
  let separator = "\n";
  yield `  "${key}": [`;
  for await (const item of items) {
    yield `${separator}    ${JSON.stringify(item)}`;
    separator = ",\n";
  }
  yield separator === "\n" ? "]" : "\n  ]";
}

async function* each(items: readonly Json[]): AsyncIterable<Json> {
  yield* items;
}

/** The settings as they are; of an unchanged reserved collection only the id. */
function collectionsOf(rows: readonly CollectionRow[]): { reserved: Json[]; custom: Json[] } {
  const all: { reserved: Json[]; custom: Json[] } = { reserved: [], custom: [] };
  for (const { id, settings: text, updated } of rows) {
    const stored = JSON.parse(text) as JsonObject;
    const settings = { ...fillSettings(stored), updated } as JsonObject;
    const isPlain = Object.keys(stored).length === 2 && stored.schema === reservedCollections[id];
    if (Object.hasOwn(reservedCollections, id)) all.reserved.push(isPlain ? id : settings);
    else all.custom.push(settings);
  }
  return all;
}

/** None when the project keeps them in its own folder. */
async function* templatesOf(ctx: Context, counts: JumpstartExport["counts"]): AsyncIterable<Json> {
  const { folder, isGitManaged } = templatePlace(ctx.settings);
  if (isGitManaged || !isAllowed(ctx.actor, "read", { kind: "templates" })) return;
  for (const { id } of await listTemplateFiles(folder)) {
    const stored = await readTemplateFile(folder, id);
    if (!stored) continue;
    counts.templates += 1;
    yield { id, template: stored.text, updated: stored.updated };
  }
}

async function* redirectsOf(ctx: Context, counts: JumpstartExport["counts"]): AsyncIterable<Json> {
  if (!isAllowed(ctx.actor, "read", { kind: "templates" })) return;
  for await (const redirects of exportRedirects(ctx)) {
    counts.redirects += redirects.length;
    for (const { source, target, status } of redirects) yield { source, target, status };
  }
}

async function* objectsOf(
  ctx: Context,
  rows: readonly CollectionRow[],
  counts: JumpstartExport["counts"],
): AsyncIterable<Json> {
  for (const { id: collection } of rows) {
    const found = await findCollection(ctx, collection);
    if (!found || !isAllowed(ctx.actor, "read", { kind: "objects", collection, publicOperations: [] })) continue;
    for await (const batch of iterateObjects(ctx.storage, collection, batchSize, longAnswer)) {
      for (const row of batch) {
        if (isDraft(row) && !seesDrafts(ctx, "read", collection)) continue;
        const document = storedDocument(ctx, found.schema, row);
        const { id, ...data } = withoutLocal(ownedBy(ctx, collection, found.schema), document);
        counts.objects += 1;
        yield { collection, id: String(id), data };
      }
    }
  }
}
