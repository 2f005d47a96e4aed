// From a file of any format that can be imported to its rows.

import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { readCsv } from "./read-csv.ts";
import { readJsonArray, readJsonLines } from "./read-json.ts";
import type { ImportRow } from "./rows.ts";

export const importFormats = ["json", "ndjson", "csv"] as const;
export type ImportFormat = (typeof importFormats)[number];

export interface ImportFile {
  format: ImportFormat;
  bytes: AsyncIterable<Uint8Array>;
}

/** `schema` says what the columns of CSV are; a deck may have none. No object may be larger than a body may be. */
export function readRows(
  { settings }: Pick<Context, "settings">,
  schema: FlatSchema | undefined,
  { format, bytes }: ImportFile,
): AsyncIterable<ImportRow> {
  const maxObjectSize = settings.get("api.maxBodySize");
  if (format === "json") return readJsonArray(bytes, { maxObjectSize });
  if (format === "ndjson") return readJsonLines(bytes, { maxObjectSize });
  if (!schema) fail("invalid", "This deck has no schema for its items, so CSV cannot be read; use JSON.");
  return readCsv(bytes, { schema, maxRowSize: maxObjectSize });
}
