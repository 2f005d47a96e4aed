// The statements that record changes. Each engine puts them together with those of the objects (engines/object-statements.ts).

import type { Dialect, Value } from "#storage/port.ts";
import {
  type ChangedRow,
  type ChangeRecord,
  type DeletionRecord,
  hiddenBefore,
  kindNumber,
  maxContent,
} from "./change-record.ts";

const columns = "at, rid, rev, kind, flags, writer, collection, id, note, props, content";
export const insertChange = `INSERT INTO changes (${columns})`;
/** For `changeValues`. */
export const changePlaces = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

export function changeValues(record: ChangeRecord, { rid, rev, collection, id }: ChangedRow): Value[] {
  const { at, kind, flags, writer, note, props, content } = record;
  return [at, rid, rev, kindNumber(kind), flags, writer, collection, id, note, props, content];
}

/** Of a new object without a note: nothing else is set. */
export const insertCreation = `INSERT INTO changes (at, rid, rev, kind, flags, writer, collection, id)
  VALUES (?, ?, 1, ?, ?, ?, ?, ?)`;

export function isPlainCreation({ note, props, content }: ChangeRecord): boolean {
  return note === null && props === null && content === null;
}

export function plainCreationValues(
  { at, kind, flags, writer }: ChangeRecord,
  { rid, collection, id }: Omit<ChangedRow, "rev">,
): Value[] {
  return [at, rid, kindNumber(kind), flags, writer, collection, id];
}

/**
 * The columns of `insertChange` for new objects whose records are alike, from their rows. The places take `creationValues`.
 */
export const creationColumns = `CAST(? AS BIGINT), rid, 1, CAST(? AS SMALLINT), CAST(? AS SMALLINT), CAST(? AS BIGINT), collection,
  id, CAST(? AS TEXT), NULL, NULL`;

export function creationValues({ at, kind, flags, writer, note }: ChangeRecord): Value[] {
  return [at, kindNumber(kind), flags, writer, note];
}

export const insertDeletion = `INSERT INTO changes (${columns}, secrets)`;

/** The columns of `insertDeletion`, from a row of `objects`. */
export function deletionColumns(dialect: Pick<Dialect, "property">): string {
  // The text is searched first: most objects are no drafts, and their documents need not be parsed.
  const isDraft = `doc LIKE '%"draft":true%' AND ${dialect.property("doc", "draft", "boolean")} = true`;
  const flags = `CASE WHEN ${isDraft} THEN ${hiddenBefore} ELSE 0 END`;
  const kept = `CAST(? AS INTEGER) = 1 AND length(doc) + length(attic) <= ${maxContent}`;
  const content = `'{"created":"' || created || '","modified":"' || modified || '","schemaRev":"' || schema_rev
    || '","document":' || doc || ',"attic":' || attic || '}'`;
  return `CAST(? AS BIGINT), rid, rev + 1, ${kindNumber("delete")}, ${flags}, CAST(? AS BIGINT), collection, id, CAST(? AS TEXT), NULL,
    CASE WHEN ${kept} THEN ${content} END, CASE WHEN CAST(? AS INTEGER) = 1 THEN secrets END`;
}

/** For the places of `deletionColumns`. */
export function deletionValues({ at, writer, note, keepsContent }: DeletionRecord): Value[] {
  const kept = keepsContent ? 1 : 0;
  return [at, writer, note, kept, kept];
}
