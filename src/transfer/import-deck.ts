// Imports items into one deck of one object. The deck is one value, so all good items are stored in one write.

import { requirePro } from "#access/edition.ts";
import { CairnError, fail } from "#base/errors.ts";
import { complain, openProperty, type PropertyTarget, setProperty } from "#content/objects/properties.ts";
import type { Context } from "#context.ts";
import { type ImportResult, maxTriedRows, type RowError, type TriedRow } from "#contract/imports.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { type ImportFile, readRows } from "./read-rows.ts";
import { addErrors, addTried, BadRow, emptyResult, type ImportOptions, type ImportRow } from "./rows.ts";

const maxItems = 10_000;

interface ItemRow {
  row: number;
  item: JsonObject;
}

/** Without `update`, items whose id the deck has are skipped; with it, only those are changed. */
export async function importDeck(
  ctx: Context,
  target: PropertyTarget,
  file: ImportFile,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const { kind, item } = (await openProperty(ctx, target)).property;
  requirePro(ctx, "Deck items");
  if (kind.type !== "deck") complain(target.property, "This property is not a deck.");
  const errors: RowError[] = [];
  let rows = await collect(readRows(ctx, item, file), errors);
  for (;;) {
    let merged: Merged = { items: [], created: 0, updated: 0, skipped: 0, done: [] };
    let deck: Json | undefined;
    try {
      if (rows.length > 0) {
        // Opened again: the schema may have changed while the file was read.
        const { text } = await setProperty(ctx, await openProperty(ctx, target), {
          isTrial: options.dryRun === true,
          sent: rows.map(({ item }) => item),
          next(deck) {
            merged = merge(deck, rows, options.update === true);
            return merged.items;
          },
        });
        deck = (JSON.parse(text) as JsonObject)[target.property];
      }
    } catch (error) {
      const bad = blame(error, target.property, rows);
      errors.push(...bad);
      rows = rows.filter(({ row }) => !bad.some((found) => found.row === row));
      continue;
    }
    const { created, updated, skipped } = merged;
    const result = { ...emptyResult(options), import_count: created + updated, created, updated, skipped };
    addErrors(result, errors.sort(byRow));
    if (options.dryRun) addTried(result, triedRows({ rows, merged, errors, deck }));
    return result;
  }
}

async function collect(source: AsyncIterable<ImportRow>, errors: RowError[]): Promise<ItemRow[]> {
  const rows: ItemRow[] = [];
  let row = 0;
  for await (const value of source) {
    row += 1;
    if (row > maxItems)
      fail("refused", `A deck takes at most ${maxItems} items at once.`, { file: ["Too many items."] });
    if (value instanceof BadRow) errors.push({ row, message: value.message });
    else rows.push({ row, item: value });
  }
  return rows;
}

/** Only so many items are looked for, and only in a dry run. */
function triedRows({
  rows,
  merged,
  errors,
  deck,
}: {
  rows: readonly ItemRow[];
  merged: Merged;
  errors: readonly RowError[];
  deck: Json | undefined;
}): TriedRow[] {
  const stored = Array.isArray(deck) ? deck.filter(isJsonObject) : [];
  const refused = errors.map(({ row, id }): TriedRow => ({ row, done: "refused", ...(id !== undefined && { id }) }));
  const others = rows.slice(0, maxTriedRows).map(({ row, item }, at): TriedRow => {
    const place = merged.done[at];
    if (!place) return { row, done: "skipped", ...(typeof item.id === "string" && { id: item.id }) };
    const object = stored[place.at];
    return { row, done: place.done, ...(object && { id: String(object.id), object }) };
  });
  return [...refused, ...others].sort(byRow);
}

function byRow(a: { row: number }, b: { row: number }): number {
  return a.row - b.row;
}

interface Merged {
  items: JsonObject[];
  created: number;
  updated: number;
  skipped: number;
  /** What becomes of each row, and where its item stands; undefined: it is skipped. */
  done: ({ done: "created" | "updated"; at: number } | undefined)[];
}

function merge(deck: Json | undefined, rows: readonly ItemRow[], isUpdate: boolean): Merged {
  const items = Array.isArray(deck) ? deck.filter(isJsonObject) : [];
  const places = new Map(items.map((item, at) => [item.id, at]));
  const merged: Merged = { items, created: 0, updated: 0, skipped: 0, done: [] };
  for (const { item } of rows) {
    const place = item.id === undefined || item.id === null ? undefined : places.get(item.id);
    if ((place !== undefined) !== isUpdate) {
      merged.skipped += 1;
      merged.done.push(undefined);
    } else if (place === undefined) {
      places.set(item.id as Json, items.length);
      merged.done.push({ done: "created", at: items.length });
      items.push(item);
      merged.created += 1;
    } else {
      items[place] = { ...items[place], ...item };
      merged.updated += 1;
      merged.done.push({ done: "updated", at: place });
    }
  }
  return merged;
}

/** The rows that a failed validation speaks of; anything else is no row's fault, and is thrown on. */
function blame(error: unknown, property: string, rows: readonly ItemRow[]): RowError[] {
  if (!(error instanceof CairnError) || error.status !== 400 || !error.details) throw error;
  const messages = Object.entries(error.details);
  const bad = rows.flatMap(({ row, item }): RowError[] => {
    const path = `${property}.${String(item.id)}`;
    const own = messages.filter(([key]) => key === path || key.startsWith(`${path}.`));
    if (own.length === 0) return [];
    return [{ row, id: String(item.id), message: error.message, details: Object.fromEntries(own) }];
  });
  if (bad.length === 0) throw error;
  return bad;
}
