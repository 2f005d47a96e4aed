// How SQLite spells what differs between the engines.

import { foldCase, foldWords, lettersToFold } from "#base/text.ts";
import type { Dialect, Value } from "#storage/port.ts";
import { checkPropertyName, memberSql } from "./property-name.ts";
import { sqliteObjects } from "./sqlite-objects.ts";
import { deadlineSql, joinedSql, limitSql, scanWay } from "./sqlite-scans.ts";
import { findWordsMatch, sqliteSearch } from "./sqlite-search.ts";

function jsonPath(property: string, element = ""): string {
  return `'$."${checkPropertyName(property)}"${element}'`;
}

/** A document that is damaged has no properties; entries are made by the engine itself. */
function json(source: "idx" | "fold" | "doc"): string {
  return source === "doc" ? "CASE WHEN json_valid(doc) THEN doc END" : source;
}

function anyElement(source: "idx" | "fold" | "doc", property: string, condition: string): string {
  const elements = `json_each(${json(source)}, ${jsonPath(property)})`;
  // Numbers as they are written.
  const shown = `iif(type = 'text', value, (${json(source)}) -> fullkey)`;
  const compared = source === "fold" ? elements : `(SELECT ${shown} AS value FROM ${elements} WHERE ${isScalar})`;
  return `EXISTS (SELECT 1 FROM ${compared} AS element WHERE ${condition})`;
}

/** In two steps: next to an alias `doc` the arguments of a function would mean the alias. */
function items(names: readonly string[], isDeck: boolean): string {
  const values = names.map((name) => `(${json("doc")}) -> ${jsonPath(name)}`);
  const value = values.length === 1 ? values[0] : `coalesce(${values.join(", ")})`;
  // An empty list for what is no deck: the members of an object would be taken for items.
  const list = isDeck
    ? `CASE json_type(${value}) WHEN 'array' THEN ${value} ELSE '[]' END`
    : `json_array(json(${value}))`;
  return `SELECT found.value AS doc
    FROM (SELECT shape.value AS value FROM json_each(${list}) AS shape WHERE shape.type = 'object') AS found`;
}

const isScalar = "type NOT IN ('null', 'array', 'object')";

/** As text: elements of any type are in one order. */
function firstElement(source: "idx" | "fold" | "doc", property: string): string {
  const first = jsonPath(property, "[0]");
  return `(CASE json_type(${json(source)}, ${first}) WHEN 'text' THEN json_extract(${json(source)}, ${first})
    WHEN 'null' THEN NULL WHEN 'array' THEN NULL WHEN 'object' THEN NULL ELSE (${json(source)}) -> ${first} END)`;
}

/** Every element of an indexed list is in the full-text index too: that finds the few rows worth looking at. */
function listHas(collection: string, property: string, element: string): { sql: string; params: Value[] } {
  const exact = anyElement("fold", property, "element.value = ?");
  const match = findWordsMatch(collection, foldWords(element).split(" "));
  if (match === undefined) return { sql: exact, params: [element] };
  const candidates = "object_index.rid IN (SELECT rowid FROM object_fts WHERE object_fts MATCH ?)";
  return { sql: `(${candidates} AND ${exact})`, params: [match, element] };
}

/** The engine's own lower() knows ASCII alone. A function in JavaScript would keep all that it is given in memory. */
function foldSql(text: string, values: readonly string[]): { sql: string; params: Value[] } {
  const letters = lettersToFold(values);
  const sql = letters.reduce((inner) => `replace(${inner}, ?, ?)`, text);
  return { sql: `lower(${sql})`, params: letters.flatMap((letter) => [letter, foldCase(letter)]) };
}

export const sqliteDialect: Dialect = {
  label: "sqlite",
  jsonParam: "jsonb(?)",
  forUpdate: "",
  forReference: "",
  forDeletion: "",
  skipLocked: "",
  property(source, property, comparison) {
    if (comparison === "list") return firstElement(source, property);
    if (comparison === "presence") {
      return `(CASE WHEN json_type(${json(source)}, ${jsonPath(property)}) IS NOT NULL THEN 1 END)`;
    }
    return `json_extract(${json(source)}, ${jsonPath(property)})`;
  },
  values: (column, property) => ({
    from: `json_each(${column}, ${jsonPath(property)}) AS element`,
    text: `iif(element.type = 'text', element.value, ${column} -> element.fullkey)`,
    isScalar: "element.type NOT IN ('null', 'array', 'object')",
  }),
  isEmpty(source, property) {
    const value = `(${json(source)}) -> ${jsonPath(property)}`;
    return `(coalesce(${value}, 'null') IN ('null', '""', '[]', '{}'))`;
  },
  anyElement,
  partOf(doc, names) {
    const rest = names.filter((name) => name !== "id").map((name) => memberSql(name, `${doc} -> ${jsonPath(name)}`));
    const part = [`'{"id":' || (${doc} -> '$."id"')`, ...rest, "'}'"].join(" || ");
    return `CASE WHEN json_valid(${doc}) THEN ${part} ELSE ${doc} END`;
  },
  items,
  listHas,
  textKey: (text, length) => `substr(${text}, 1, ${length})`,
  wholeText: (text) => text,
  foldCase: foldSql,
  jsonText: (column) => `json(${column})`,
  jsonValues: (column, names) => `json_array(${names.map((name) => `${column} -> ${jsonPath(name)}`).join(", ")})`,
  readable: (value) => `iif(typeof(${value}) = 'integer', CAST(${value} AS REAL), ${value})`,
  indexes: {
    leading: ["collection"],
    concurrently: "",
    carries: true,
    list: "SELECT name, sql AS definition FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'object_index'",
  },
  scans: { way: scanWay, deadline: deadlineSql("object_index.rid"), limit: limitSql, joined: joinedSql },
  search: sqliteSearch,
  counters: { count: "count", totalObjects: "total_objects", lastUpdated: "last_updated", writes: "writes" },
  objects: sqliteObjects,
  // One transaction writes at a time, so the numbers rise with the commits.
  log: {
    tx: "CAST(tx AS TEXT)",
    after: ({ seq }) => ({ sql: "seq > ?", params: [seq] }),
    upTo: ({ seq }) => ({ sql: "seq <= ?", params: [seq] }),
    between: (after, upTo) => ({ sql: "seq > ? AND seq <= ?", params: [after.seq, upTo.seq] }),
    order: "seq",
    newestFirst: "seq DESC",
    settledFlag: "1",
    isSettled: "true",
  },
  tables: {
    list: `SELECT tables.name AS "table", columns.name AS "column"
      FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
      WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' ORDER BY tables.rowid, columns.cid`,
    keepNumbers: "",
    lastObject: "(SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'objects')",
    passObject: [
      "UPDATE sqlite_sequence SET seq = MAX(seq, ?) WHERE name = 'objects'",
      `INSERT INTO sqlite_sequence (name, seq) SELECT 'objects', ?
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'objects')`,
    ],
  },
};
