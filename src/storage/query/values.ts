// The different values of an indexed property, and how many objects have each.

import type { Caller } from "#lanes/caller.ts";
import type { Asked, Fragment } from "#storage/port.ts";
import { containsSql } from "./conditions.ts";
import { selectedSql } from "./select.ts";
import type { Selection } from "./selection.ts";

/** Longer texts are not values to choose from. */
const maxLength = 200;

export interface ValueQuestion {
  selection: Selection;
  /** The names of the property in the index: more than one while it is renamed. Of a list its elements are the values. */
  names: readonly string[];
  /** In lower case: only values that contain it. Empty: all. */
  search: string;
  limit: number;
  caller: Caller;
}

export interface CountedValue {
  value: string;
  count: number;
}

/** The most frequent first. */
export async function askValues(db: Asked, question: ValueQuestion): Promise<CountedValue[]> {
  const { selection, names, search, limit, caller } = question;
  const { dialect } = db;
  const selected = selectedSql(db, selection);
  const folded = dialect.foldCase("value", [search]);
  const matches: Fragment = search === "" ? { sql: "true", params: [] } : containsSql(folded.sql, search);
  const each = names.map((name) => {
    const { from, text, isScalar } = dialect.values("found.idx", name);
    return `SELECT ${text} AS value FROM (SELECT object_index.idx AS idx ${selected.sql}) AS found, ${from} WHERE ${isScalar}`;
  });
  const sql = `SELECT value, count(*) AS total FROM (${each.join(" UNION ALL ")}) AS each
    WHERE value <> '' AND length(value) <= ${maxLength} AND ${matches.sql}
    GROUP BY value ORDER BY count(*) DESC, value LIMIT ?`;
  const params = [
    ...names.flatMap(() => selected.params),
    ...(search === "" ? [] : folded.params),
    ...matches.params,
    limit,
  ];
  const { rows } = await db.ask({ wanted: [{ attempts: [[{ sql, params }]], limit }], caller });
  return (rows[0] ?? []).map(({ value, total }) => ({ value: String(value), count: Number(total) }));
}
