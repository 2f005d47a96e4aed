// Reads CSV as objects of a schema, row by row: the header names properties, `card.sub` and `text.locale` columns are
// folded into one value, cells become what the property's kind takes. Nothing here reads any other file.

import { Readable } from "node:stream";
import type * as CsvParse from "csv-parse";
import { CairnError, fail } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import { lazily } from "#base/lazy.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { BadRow, type ImportRow, maxIgnored } from "./rows.ts";

const csvParse = lazily<typeof CsvParse>("csv-parse");

/** Where the cells of one column go. */
interface Column {
  name: string;
  /** The second half of a dotted column. */
  part?: string;
  type: string;
}

/** Each row looks at all of them. */
const maxColumns = 10_000;

export interface CsvOptions {
  schema: FlatSchema;
  /** The longest row, in characters. */
  maxRowSize: number;
}

export async function* readCsv(source: AsyncIterable<Uint8Array>, options: CsvOptions): AsyncIterable<ImportRow> {
  const parser = csvParse().parse({
    trim: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    relax_column_count: true,
    max_record_size: options.maxRowSize,
  });
  const text = Readable.from(decode(source));
  text.on("error", (error) => parser.destroy(error));
  text.pipe(parser);
  let columns: (Column | undefined)[] | undefined;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (columns) yield rowOf(columns, cells);
      else columns = readHeader(cells, options.schema);
    }
  } catch (error) {
    if (error instanceof CairnError) throw error;
    const { lines, code } = error as { lines?: number; code?: string };
    if (lines === undefined) throw error;
    if (code === "CSV_MAX_RECORD_SIZE") {
      fail("refused", `A row has more than ${options.maxRowSize} characters.`, { file: ["A row is too large."] });
    }
    fail("refused", `The file is not valid CSV near line ${lines}.`, { file: ["It is not valid CSV."] });
  } finally {
    text.destroy();
  }
  if (!columns) fail("refused", "The file is empty.", { file: ["It has no header row."] });
}

/** Drops the byte order mark, refuses bytes that are not UTF-8. */
async function* decode(source: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of source) {
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") yield text;
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    fail("refused", "The file is not UTF-8.", { file: ["Save it as CSV UTF-8."] });
  }
}

function readHeader(cells: readonly string[], schema: FlatSchema): (Column | undefined)[] {
  if (cells.length > maxColumns) {
    fail("refused", `The file has more than ${maxColumns} columns.`, { file: ["It has too many columns."] });
  }
  const columns = cells.map((header) => findColumn(header.trim(), schema));
  if (columns.every((column) => column === undefined)) {
    fail("refused", "No column of the file is a property of the schema.", {
      file: [`The first row must name properties, such as ${[...schema.properties.keys()].slice(0, 5).join(", ")}.`],
    });
  }
  for (const [at, name] of unknownHeaders(cells, columns)) columns[at] = { name, type: "string" };
  return columns;
}

/** The first of them: the import leaves them out, and names them. */
function unknownHeaders(cells: readonly string[], columns: readonly (Column | undefined)[]): [number, string][] {
  return [...cells.entries()]
    .map(([at, header]): [number, string] => [at, header.trim()])
    .filter(([at, name]) => columns[at] === undefined && name !== "" && name !== "__proto__")
    .slice(0, maxIgnored);
}

function findColumn(header: string, schema: FlatSchema): Column | undefined {
  const property = schema.properties.get(header);
  if (property) return { name: header, type: property.kind.type };
  if (header === "id" || header === "created" || header === "modified") return { name: header, type: "date" };
  const dot = header.indexOf(".");
  if (dot < 1) return undefined;
  const owner = schema.properties.get(header.slice(0, dot));
  return owner && findPart(owner, header.slice(dot + 1));
}

function findPart(owner: Property, part: string): Column | undefined {
  if (owner.kind.type === "localizedtext") {
    return /^[a-z]{2,3}(_[A-Za-z]+)?$/.test(part) ? { name: owner.name, part, type: "string" } : undefined;
  }
  const inner = owner.kind.type === "card" ? owner.item?.properties.get(part) : undefined;
  return inner && { name: owner.name, part, type: inner.kind.type };
}

function rowOf(columns: readonly (Column | undefined)[], cells: readonly string[]): ImportRow {
  const object: JsonObject = {};
  for (const [at, column] of columns.entries()) {
    const cell = cells[at];
    if (!column || cell === undefined) continue;
    const value = cell.trim() === "" ? null : readCell(withoutGuard(cell), column.type);
    if (value instanceof BadRow) return new BadRow(`${column.name}: ${value.message}`);
    if (column.part === undefined) object[column.name] = value;
    else addPart(object, column, value);
  }
  return object;
}

function addPart(object: JsonObject, column: Column, value: Json): void {
  if (value === null) return;
  const whole = object[column.name];
  object[column.name] = { ...(isJsonObject(whole) ? whole : {}), [column.part as string]: value };
}

const structured = new Set([
  "card",
  "color",
  "deck",
  "depot",
  "file",
  "gallery",
  "image",
  "json",
  "localizedtext",
  "object",
  "rating",
]);

/** Only code keeps the space around it, when it was quoted. */
function readCell(text: string, type: string): Json | BadRow {
  if (type === "code") return text;
  const cell = text.trim();
  if (type === "string") return withLineEnds(cell);
  const isJson = cell.startsWith("{") || cell.startsWith("[");
  if (type === "json" && !isJson) return tryJson(cell);
  if (type === "list" || type === "array") return isJson ? readJson(cell) : splitList(cell);
  if (structured.has(type) && isJson) return readJson(cell);
  return cell;
}

/** `\n` is a line end; with the backslash doubled it is these two characters. */
function withLineEnds(text: string): string {
  // A run of backslashes is matched whole, whatever follows: none is looked at twice.
  return text.replace(/(\\+)(r\\n|n)?/g, (found, slashes: string, end?: string) => {
    if (end === undefined) return found;
    const kept = "\\".repeat(slashes.length >> 1);
    return slashes.length % 2 === 1 ? `${kept}\n` : kept + found.slice(slashes.length);
  });
}

function splitList(cell: string): string[] {
  return cell
    .split(/[,|]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function readJson(cell: string): Json | BadRow {
  try {
    return parseJson(Buffer.from(cell));
  } catch {
    return new BadRow("The cell is not valid JSON.");
  }
}

/** `5` and `"5"` are what they are in JSON; other text is text. */
function tryJson(cell: string): Json {
  const value = readJson(cell);
  return value instanceof BadRow ? cell : value;
}

/** The export puts a quote before text that a spreadsheet would run as a formula; it is removed here. */
function withoutGuard(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
