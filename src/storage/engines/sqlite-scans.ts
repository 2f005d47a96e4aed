// How SQLite goes through the index table: the way that a statement names, and the check that ends one in time.

import { maxJoinedBytes } from "#storage/query/joined.ts";
import type { Condition, Operand, Selection } from "#storage/query/selection.ts";

/**
 * Every 256 rows the thread's own function is called, which ends a statement whose time is over (sqlite-reader.ts).
 * `number`: what numbers the rows.
 */
export function deadlineSql(number: string): string {
  return `(${number} & 255 OR past_deadline() = 0)`;
}

/** A parameter that stands alone is looked at by the planner: the statement would be prepared again each time it is bound. */
export const limitSql = "? + 0";

/** The rows of this statement as one (query/joined.ts); its aggregates take them in their order. */
export function joinedSql(sql: string, keys: string[]): string {
  const shown = ["'id', id, 'bytes', octet_length(doc)", ...keys.map((name) => `'${name}', ${name}`)];
  const doc = `iif(octet_length(doc) > ${maxJoinedBytes}, '', doc)`;
  return `SELECT CAST('[' || ifnull(group_concat(${doc}, ','), '') || ']' AS BLOB) AS text,
    json_group_array(json_object(${shown.join(", ")})) AS found, min("schemaRev") AS "leastRev", max("schemaRev") AS "mostRev"
    FROM (${sql})`;
}

/** Where no index helps, the planner would walk one that was made for other selections, and read each row elsewhere. */
export function scanWay({ scan, sort, include }: Selection, isOrdered: boolean): string {
  if (!scan || include.some(isLookedUp)) return "";
  const first = isOrdered ? sort[0]?.operand : undefined;
  const isByTime = first !== undefined && isCreated(first);
  const isById = isOrdered && (!first || first.property === "id");
  if (isByTime || (first?.property !== "id" && include.some(({ operand }) => isCreated(operand))))
    return " INDEXED BY object_index_created";
  return scan === "as-stored" && !isById ? " NOT INDEXED" : " INDEXED BY object_index_id";
}

function isCreated({ source, property }: Operand): boolean {
  return source === "column" && property === "created";
}

/** By its number, among the few that the full-text index finds, or by its id. */
function isLookedUp({ operand, operator }: Condition): boolean {
  const isEquality = operator === "eq" || operator === "in";
  const isList = operand.source === "index" && operand.comparison === "list";
  return isEquality && (isList || (operand.source === "column" && operand.property === "id"));
}
