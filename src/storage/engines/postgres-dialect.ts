// How PostgreSQL spells what differs between the engines.
// A value of another type than expected reads as absent, never as an error: entries made under an older schema
// may be among the rows until they are rebuilt.

import type { Dialect } from "#storage/port.ts";
import type { Comparison } from "#storage/query/selection.ts";
import { postgresCounters } from "./postgres-counters.ts";
import { postgresObjects } from "./postgres-objects.ts";
import { postgresSearch } from "./postgres-search.ts";
import { checkPropertyName, memberSql } from "./property-name.ts";

function field(source: "idx" | "fold" | "doc", property: string): { json: string; key: string } {
  return { json: source === "doc" ? "find_json(doc)" : source, key: `'${checkPropertyName(property)}'` };
}

function property(source: "idx" | "fold" | "doc", name: string, comparison: Comparison): string {
  const { json, key } = field(source, name);
  if (comparison === "number") {
    return `(CASE WHEN jsonb_typeof(${json} -> ${key}) = 'number' THEN (${json} -> ${key})::float8 END)`;
  }
  if (comparison === "presence") return `(CASE WHEN (${json} -> ${key}) IS NOT NULL THEN 1 END)`;
  if (comparison === "boolean") return `((${json} -> ${key}) = 'true'::jsonb)`;
  if (comparison === "list") {
    return `(CASE WHEN jsonb_typeof(${json} -> ${key} -> 0) NOT IN ('array', 'object') THEN ${json} -> ${key} ->> 0 END)`;
  }
  return `(${json} ->> ${key})`;
}

export const postgresDialect: Dialect = {
  label: "postgres",
  jsonParam: "?::jsonb",
  columns: {
    numbers: (column) => `'[' || string_agg(${column}::text, ',') || ']'`,
    texts: (column) => `json_agg(${column})::text`,
  },
  // Not FOR UPDATE, which also keeps everybody from rows that only refer to this one.
  forUpdate: "FOR NO KEY UPDATE",
  forReference: "FOR KEY SHARE",
  forDeletion: "FOR UPDATE",
  skipLocked: "FOR UPDATE SKIP LOCKED",
  names: {
    lock: "INSERT INTO name_locks (name) VALUES (?) ON CONFLICT (name) DO UPDATE SET used = now()",
    deleteUnused: `DELETE FROM name_locks WHERE name IN (
      SELECT name FROM name_locks WHERE used < now() - interval '1 hour' FOR UPDATE SKIP LOCKED)`,
  },
  property,
  values(column, name) {
    const value = `${column} -> '${checkPropertyName(name)}'`;
    const list = `CASE jsonb_typeof(${value}) WHEN 'array' THEN ${value} ELSE jsonb_build_array(${value}) END`;
    return {
      from: `jsonb_array_elements(${list}) AS element (value)`,
      text: `(element.value #>> '{}' COLLATE "C")`,
      isScalar: "jsonb_typeof(element.value) NOT IN ('null', 'array', 'object')",
    };
  },
  isEmpty(source, name) {
    const { json, key } = field(source, name);
    const empty = ["null", '""', "[]", "{}"].map((text) => `'${text}'::jsonb`);
    return `(coalesce(${json} -> ${key}, 'null'::jsonb) IN (${empty.join(", ")}))`;
  },
  anyElement(source, name, condition) {
    const { json, key } = field(source, name);
    const list = `CASE WHEN jsonb_typeof(${json} -> ${key}) = 'array' THEN ${json} -> ${key} END`;
    if (source === "fold") {
      return `EXISTS (SELECT 1 FROM jsonb_array_elements_text(${list}) AS element (value) WHERE ${condition})`;
    }
    const scalars = `SELECT value #>> '{}' AS value FROM jsonb_array_elements(${list})
      WHERE jsonb_typeof(value) NOT IN ('null', 'array', 'object')`;
    return `EXISTS (SELECT 1 FROM (${scalars}) AS element WHERE ${condition})`;
  },
  partOf(doc, names) {
    // As JSON text: binary JSON would change the order of names.
    const read = (name: string) => `(${doc}::json -> '${checkPropertyName(name)}')::text`;
    const rest = names.filter((name) => name !== "id").map((name) => memberSql(name, read(name)));
    const part = [`'{"id":' || ${read("id")}`, ...rest, "'}'"].join(" || ");
    return `CASE WHEN find_json(${doc}) IS NOT NULL THEN ${part} ELSE ${doc} END`;
  },
  items(names, isDeck) {
    const values = names.map((name) => `find_json(doc) -> '${checkPropertyName(name)}'`);
    const value = values.length === 1 ? `(${values[0]})` : `coalesce(${values.join(", ")})`;
    const list = `CASE WHEN jsonb_typeof(${value}) = 'array' THEN ${value} END`;
    const all = isDeck ? `jsonb_array_elements(${list})` : `jsonb_array_elements(jsonb_build_array(${value}))`;
    return `SELECT shape.value::text AS doc FROM ${all} AS shape (value) WHERE jsonb_typeof(shape.value) = 'object'`;
  },
  listHas: (_collection, name, element) => ({
    sql: "fold @> ?::jsonb",
    params: [JSON.stringify({ [checkPropertyName(name)]: [element] })],
  }),
  textKey: (text, length) => `(substr(${text}, 1, ${length}) COLLATE "C")`,
  wholeText: (text) => `(${text} COLLATE "C")`,
  // The C collation would leave all but ASCII as it is.
  foldCase: (text) => ({ sql: `replace(lower(${text} COLLATE "und-x-icu"), 'ς', 'σ')`, params: [] }),
  jsonText: (column) => `${column}::text`,
  jsonValues(column, names) {
    const values = names.map((name) => `${column} -> '${checkPropertyName(name)}'`);
    return `jsonb_build_array(${values.join(", ")})::text`;
  },
  readable: (value) => value,
  indexes: {
    // The planner takes a condition that the index implies for granted, and would not look it up.
    leading: [],
    concurrently: "CONCURRENTLY",
    carries: false,
    list: `SELECT indexname AS name, '' AS definition FROM pg_indexes
      WHERE schemaname = current_schema() AND tablename = 'object_index'`,
  },
  scans: { way: () => "", limit: "?" },
  search: postgresSearch,
  counters: postgresCounters,
  log: {
    tx: "tx::text",
    after: ({ tx, seq }) => ({ sql: "(tx, seq) > (?::xid8, ?::bigint)", params: [tx, seq] }),
    upTo: ({ tx, seq }) => ({ sql: "(tx, seq) <= (?::xid8, ?::bigint)", params: [tx, seq] }),
    // Compared as pairs, an index is read to the end of the transaction.
    between: (after, upTo) =>
      after.tx === upTo.tx
        ? { sql: "tx = ?::xid8 AND seq > ?::bigint AND seq <= ?::bigint", params: [after.tx, after.seq, upTo.seq] }
        : {
            sql: "(tx, seq) > (?::xid8, ?::bigint) AND (tx, seq) <= (?::xid8, ?::bigint)",
            params: [after.tx, after.seq, upTo.tx, upTo.seq],
          },
    // Of the table: a query names the text of it `tx` as well, and texts have another order.
    order: "changes.tx, changes.seq",
    newestFirst: "changes.tx DESC, changes.seq DESC",
    settledFlag: "CASE WHEN tx < pg_snapshot_xmin(pg_current_snapshot()) THEN 1 ELSE 0 END",
    isSettled: "tx < pg_snapshot_xmin(pg_current_snapshot())",
    // Of other users only those that this one may see.
    holdUp: `SELECT pid AS process, FLOOR(EXTRACT(EPOCH FROM clock_timestamp() - xact_start))::int AS seconds
      FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND xact_start < clock_timestamp() - make_interval(secs => ?)
        AND (SELECT tx FROM changes ORDER BY tx DESC, seq DESC LIMIT 1) >= pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY xact_start LIMIT 1`,
  },
  statistics: {
    changed: "pg_stat_get_mod_since_analyze('objects'::regclass)",
    refresh: ["ANALYZE objects", "ANALYZE object_index"],
  },
  touched: {
    horizon: "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon",
    deleteBefore: "DELETE FROM touched WHERE tx < ?::xid8",
  },
  objects: postgresObjects,
  tables: {
    list: `SELECT pg_class.relname AS "table", attname AS "column"
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND attnum > 0 AND NOT attisdropped
      ORDER BY pg_class.oid, attnum`,
    keepNumbers: "OVERRIDING SYSTEM VALUE",
    lastObject: "nextval(pg_get_serial_sequence('objects', 'rid'))",
    passObject: [
      `SELECT setval(pg_get_serial_sequence('objects', 'rid'),
        GREATEST(CAST(? AS BIGINT), nextval(pg_get_serial_sequence('objects', 'rid'))))`,
    ],
    numbered: {
      list: `SELECT pg_class.relname AS "table", attname AS "column"
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND attidentity <> ''`,
      goOn: (table, column) =>
        `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), max("${column}")) FROM "${table}"
         HAVING max("${column}") IS NOT NULL`,
    },
  },
};
