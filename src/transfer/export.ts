// Exports a collection's objects, or one deck, as JSON (whole documents, as stored) or CSV, in pieces and in constant memory.
// Passwords are not part of a document, so no export can contain one.

import { csvRow } from "#base/csv.ts";
import { fail } from "#base/errors.ts";
import { waitForFirst } from "#base/first-piece.ts";
import type { Collection } from "#content/collections/collection.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { getObject } from "#content/objects/objects.ts";
import type { PropertyTarget } from "#content/objects/properties.ts";
import { readExportSelection } from "#content/query/filters.ts";
import { findDocumentText, sourceOf } from "#content/query/lists.ts";
import type { Params } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { countSelected, iterateSelected } from "#storage/query/select.ts";
import type { Selection } from "#storage/query/selection.ts";
import { type CsvColumn, csvCells, csvColumns, localizedProperties, noteLocales } from "./csv-columns.ts";

const batchSize = 200;

export const exportFormats = ["json", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  /** `include` and `exclude` filter objects, as on reports; `filter` and `search`, as on lists. */
  params?: Params;
  onProgress?: (objects: number) => void;
}

/** A JSON array of whole objects, one on each line, in order of id. */
export async function exportJson(
  ctx: Context,
  collectionId: string,
  options: ExportOptions = {},
): Promise<AsyncIterable<string>> {
  const source = await openExport(ctx, collectionId, options);
  return jsonText(source);
}

/** A header row and one row for each object; cards and localized texts take a column for each part. */
export async function exportCsv(
  ctx: Context,
  collectionId: string,
  options: ExportOptions = {},
): Promise<AsyncIterable<string>> {
  const source = await openExport(ctx, collectionId, options);
  return csvText(source);
}

/** Whole objects as JSON texts, in batches; `include` and `exclude` filter them, as on reports. */
export async function iterateDocuments(
  ctx: Context,
  collectionId: string,
  params: Params = {},
): Promise<AsyncIterable<string[]>> {
  return documents(await openExport(ctx, collectionId, { params }));
}

/** Their number. */
export async function countDocuments(ctx: Context, collectionId: string, params: Params = {}): Promise<number> {
  const { selection } = await openExport(ctx, collectionId, { params });
  return countSelected(ctx.storage, selection, ctx.caller);
}

interface ExportSource {
  ctx: Context;
  collection: Collection;
  selection: Selection;
  onProgress: (objects: number) => void;
}

async function openExport(ctx: Context, collectionId: string, options: ExportOptions): Promise<ExportSource> {
  const collection = await openCollection(ctx, "read", collectionId);
  const selection = readExportSelection(options.params ?? {}, sourceOf(ctx, collection));
  return { ctx, collection, selection, onProgress: options.onProgress ?? (() => {}) };
}

async function* documents({ ctx, collection, selection }: ExportSource): AsyncIterable<string[]> {
  for await (const rows of iterateSelected(ctx.storage, selection, batchSize, ctx.caller)) {
    yield rows.flatMap((row) => findDocumentText(ctx, collection, row) ?? []);
  }
}

/** A damaged document is left out here too. */
async function* parsedDocuments(source: ExportSource): AsyncIterable<JsonObject[]> {
  const { ctx, collection } = source;
  for await (const texts of documents(source)) {
    yield texts.flatMap((text): JsonObject[] => {
      try {
        return [JSON.parse(text) as JsonObject];
      } catch (error) {
        ctx.log.warn({ collection: collection.id, err: error }, "an object could not be read");
        return [];
      }
    });
  }
}

async function* jsonText(source: ExportSource): AsyncIterable<string> {
  let count = 0;
  for await (const texts of documents(source)) {
    if (texts.length === 0) continue;
    yield (count === 0 ? "[\n" : ",\n") + texts.join(",\n");
    count += texts.length;
    source.onProgress(count);
  }
  yield count === 0 ? "[]\n" : "\n]\n";
}

async function* csvText(source: ExportSource): AsyncIterable<string> {
  const columns = csvColumns(source.collection.schema, await findLocales(source));
  const batches = await waitForFirst(parsedDocuments(source));
  yield csvRow(columns.map(({ header }) => header));
  let count = 0;
  for await (const found of batches) {
    yield found.map((document) => csvRow(csvCells(columns, document))).join("");
    count += found.length;
    source.onProgress(count);
  }
}

/** The locales are known only from the objects: a pass of its own, for schemas with localized texts. */
async function findLocales(source: ExportSource): Promise<Map<string, Set<string>>> {
  const locales = new Map(localizedProperties(source.collection.schema).map((name) => [name, new Set<string>()]));
  if (locales.size === 0) return locales;
  for await (const found of parsedDocuments(source)) {
    for (const document of found) noteLocales(locales, document);
  }
  return locales;
}

/** The items of one deck, in order. */
export async function exportDeck(ctx: Context, target: PropertyTarget, format: ExportFormat): Promise<string> {
  const { schema } = await openCollection(ctx, "read", target.collection);
  const property = schema.properties.get(target.property);
  if (property?.kind.type !== "deck") fail("not-found", `There is no deck "${target.property}".`);
  const { text } = await getObject(ctx, target.collection, target.id);
  const deck = (JSON.parse(text) as JsonObject)[target.property];
  const items = Array.isArray(deck) ? deck.filter(isJsonObject) : [];
  if (format === "json") return `${JSON.stringify(items, null, 2)}\n`;
  const columns: CsvColumn[] = property.item
    ? csvColumns(property.item, new Map(), "deck")
    : [...new Set(items.flatMap((item) => Object.keys(item)))].map((name) => ({
        header: name,
        path: [name],
        type: "json",
      }));
  return [csvRow(columns.map(({ header }) => header)), ...items.map((item) => csvRow(csvCells(columns, item)))].join(
    "",
  );
}
