// Reports: chosen properties of all objects that match the filters, as CSV or JSON, written while they are read.
// Memory is constant however large the collection is. Password properties are not fields.

import { csvRow } from "#base/csv.ts";
import { waitForFirst } from "#base/first-piece.ts";
import type { Collection } from "#content/collections/collection.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import { isFilterText } from "#content/query/filter-groups.ts";
import { readExportSelection, readReportSelection } from "#content/query/filters.ts";
import { sourceOf } from "#content/query/lists.ts";
import { checkText, type Params, readChoice, refuse, shown } from "#content/query/parameters.ts";
import { htmlChoices } from "#content/query/tables.ts";
import { gatherReferences } from "#content/relations/expand.ts";
import { type ExpandPlan, planExpand } from "#content/relations/expand-plan.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { type FoundObject, iterateSelected } from "#storage/query/select.ts";
import type { Selection } from "#storage/query/selection.ts";

export interface ReportField {
  name: string;
  label: string;
  type: string;
}

export interface ReportAnswer {
  fileName: string;
  chunks: AsyncIterable<string>;
}

const batchSize = 200;
const maxFields = 200;

/** Alphabetical, the fields of decks last, as `deck.sub`. */
async function listReportFields(ctx: Context, collectionId: string): Promise<ReportField[]> {
  const { schema } = await openCollection(ctx, "read", collectionId);
  return fieldsOf(schema);
}

export interface FieldsAnswer {
  format: "json" | "html";
  text: string;
}

export async function showReportFields(ctx: Context, collectionId: string, params: Params): Promise<FieldsAnswer> {
  const fields = await listReportFields(ctx, collectionId);
  const format = readChoice(params, "format", ["html", "json"], "html");
  return {
    format,
    text: format === "json" ? JSON.stringify(fields) : htmlChoices(`Report on ${collectionId}`, fields),
  };
}

export async function reportCsv(ctx: Context, collectionId: string, params: Params): Promise<ReportAnswer> {
  const collection = await openCollection(ctx, "read", collectionId);
  if (params.expand !== undefined) refuse("expand", "expand goes with reports as JSON alone.");
  const report = readReport(ctx, collection, params);
  return { fileName: `report-${collectionId}.csv`, chunks: csvText(ctx, report) };
}

export async function reportJson(ctx: Context, collectionId: string, params: Params): Promise<ReportAnswer> {
  const collection = await openCollection(ctx, "read", collectionId);
  const report = readReport(ctx, collection, params);
  const plan = await planExpand(ctx, collection, params);
  return { fileName: `report-${collectionId}.json`, chunks: jsonText(ctx, report, plan) };
}

function fieldsOf(schema: FlatSchema): ReportField[] {
  const properties = [...schema.properties.values()].filter(({ isPassword }) => !isPassword);
  const times = ["created", "modified"].filter((name) => !schema.properties.has(name));
  const plain = [
    ...properties.filter((property) => !isDeck(property)).map((property) => describeField(property, property.name)),
    ...times.map((name) => ({ name, label: name === "created" ? "Created" : "Modified", type: "date" })),
  ];
  const nested = properties
    .filter(isDeck)
    .flatMap((deck) =>
      [...(deck.item?.properties.values() ?? [])]
        .filter(({ isPassword }) => !isPassword)
        .map((property) => describeField(property, `${deck.name}.${property.name}`)),
    );
  const byName = (a: ReportField, b: ReportField) => (a.name < b.name ? -1 : 1);
  return [...plain.sort(byName), ...nested.sort(byName)];
}

function describeField({ definition, kind, label }: Property, name: string): ReportField {
  return { name, label, type: definition.field ?? kind.type };
}

function isDeck(property: Property): boolean {
  return property.kind.type === "deck";
}

interface Report {
  schema: FlatSchema;
  selection: Selection;
  /** Requested properties of the object. */
  scalars: string[];
  /** Deck -> requested properties of its items. */
  decks: Map<string, string[]>;
}

function readReport(ctx: Context, collection: Collection, params: Params): Report {
  const { schema } = collection;
  const known = new Set(fieldsOf(schema).map(({ name }) => name));
  const scalars: string[] = [];
  const decks = new Map<string, string[]>();
  for (const name of readFields(params)) {
    const isWholeDeck = schema.properties.get(name)?.kind.type === "deck";
    if (!known.has(name) && !isWholeDeck) refuse("fields", `There is no field ${shown(name)} in this collection.`);
    const [deck = "", sub] = name.split(".");
    if (sub === undefined) scalars.push(name);
    else decks.set(deck, [...(decks.get(deck) ?? []), sub]);
  }
  const isFiltered = params.search !== undefined || isJsonObject(params.filter as Json) || isFilterText(params.filter);
  const read = isFiltered ? readExportSelection : readReportSelection;
  const selection = read(aliased(params), sourceOf(ctx, collection));
  return { schema, selection, scalars, decks };
}

/** `fields=a,b` or `fields[]=a&fields[]=b`. */
function readFields({ fields }: Params): string[] {
  const parts = (Array.isArray(fields) ? fields : [fields ?? ""]).map((part) => checkText("fields", part));
  const names = parts.flatMap((part) => part.split(",")).map((name) => name.trim());
  const asked = [...new Set(names.filter((name) => name !== ""))];
  if (asked.length === 0) refuse("fields", 'The "fields" parameter is required.');
  if (asked.length > maxFields) refuse("fields", `A report has at most ${maxFields} fields.`);
  return asked;
}

/** `filter` as plain text, unless that is JSON, is an alias of `include`. */
function aliased({ filter, ...params }: Params): Params {
  if (typeof filter !== "string" || isFilterText(filter)) return { ...params, filter };
  return params.include === undefined ? { ...params, include: filter } : params;
}

async function* csvText(ctx: Context, report: Report): AsyncIterable<string> {
  const columns = [...report.decks].flatMap(([deck, subs]) => subs.map((sub) => `${deck}.${sub}`));
  const batches = await waitForFirst(iterateSelected(ctx.storage, report.selection, batchSize, ctx.caller));
  yield csvRow([...report.scalars, ...columns]);
  for await (const rows of batches) {
    yield rows.map((row) => csvRows(report, findDocument(ctx, report, row))).join("");
  }
}

/** One row for each item of each requested deck; without items, one row. */
function csvRows({ scalars, decks }: Report, document: JsonObject | undefined): string {
  if (!document) return "";
  const own = scalars.map((name) => cell(document[name]));
  const width = [...decks.values()].reduce((sum, subs) => sum + subs.length, 0);
  const rows: string[] = [];
  let before = 0;
  for (const [deck, subs] of decks) {
    const blanks = [
      new Array<string>(before).fill(""),
      new Array<string>(width - before - subs.length).fill(""),
    ] as const;
    for (const item of itemsOf(document[deck]))
      rows.push(csvRow([...own, ...blanks[0], ...subs.map((sub) => cell(item[sub])), ...blanks[1]]));
    before += subs.length;
  }
  return rows.length > 0 ? rows.join("") : csvRow([...own, ...new Array<string>(width).fill("")]);
}

/** Line breaks are escaped, so that each row is one line. */
function cell(value: Json | undefined): Json | undefined {
  return typeof value === "string" ? value.replaceAll("\r\n", "\\n").replaceAll(/[\r\n]/g, "\\n") : value;
}

/** With `expand` it is `{data, expand}`. */
async function* jsonText(ctx: Context, report: Report, plan: ExpandPlan | undefined): AsyncIterable<string> {
  // The beginning of the text depends on whether any object will be skipped, so that is checked first; and what comes along
  // may be too much.
  const { skipped, expand } = await lookAhead(ctx, report, plan);
  const isWrapped = skipped.length > 0 || expand !== undefined;
  const batches = await waitForFirst(iterateSelected(ctx.storage, report.selection, batchSize, ctx.caller));
  yield isWrapped ? '{"data":[' : "[";
  let separator = "";
  for await (const rows of batches) {
    const documents = rows.map((row) => findDocument(ctx, report, row)).filter((found) => found !== undefined);
    if (documents.length === 0) continue;
    yield separator + documents.map((document) => JSON.stringify(pick(report, document))).join(",");
    separator = ",";
  }
  yield "]";
  if (expand !== undefined) yield `,"expand":${expand}`;
  if (skipped.length > 0) yield `,"errors":${JSON.stringify(skipped)}`;
  if (isWrapped) yield "}";
}

function pick({ scalars, decks }: Report, document: JsonObject): JsonObject {
  const picked = pickProperties(document, scalars);
  for (const [deck, subs] of decks) {
    if (document[deck] === undefined || scalars.includes(deck)) continue;
    picked[deck] = itemsOf(document[deck]).map((item) => pickProperties(item, subs));
  }
  return picked;
}

function pickProperties(source: JsonObject, names: string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) if (source[name] !== undefined) picked[name] = source[name];
  return picked;
}

function itemsOf(deck: Json | undefined): JsonObject[] {
  return Array.isArray(deck) ? deck.filter(isJsonObject) : [];
}

async function lookAhead(
  ctx: Context,
  report: Report,
  plan: ExpandPlan | undefined,
): Promise<{ skipped: string[]; expand?: string }> {
  const skipped: string[] = [];
  const gathered = plan && gatherReferences(ctx, plan);
  for await (const rows of iterateSelected(ctx.storage, report.selection, batchSize, ctx.caller)) {
    for (const row of rows) {
      const document = findDocument(ctx, report, row);
      if (!document) skipped.push(row.id);
      else gathered?.add(document);
    }
  }
  return { skipped, ...(gathered && { expand: await gathered.load() }) };
}

/** undefined when the stored text is damaged. */
function findDocument(ctx: Context, { schema, selection }: Report, row: FoundObject): JsonObject | undefined {
  try {
    const document = storedDocument(ctx, schema, row);
    if (isJsonObject(document)) return document;
  } catch (error) {
    ctx.log.warn({ collection: selection.collection, id: row.id, err: error }, "an object was left out of a report");
  }
  return undefined;
}
