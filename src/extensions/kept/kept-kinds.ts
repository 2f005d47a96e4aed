// The field kinds that an extension brings, as they are kept in the database: values outlive the code. They and its schemas
// (kept-schemas.ts) are stored when it is enabled, and again when its files bring others.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { FieldContribution, KeptKind, Manifest } from "#contract/extensions.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FoundExtension } from "#extensions/discover.ts";
import { blankRow } from "#extensions/rows.ts";
import { jsonCheck } from "#schemas/json-schema.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import { type ExtensionRow, lockExtension, putExtension } from "#storage/tables/extensions/extensions.ts";

const maxSchema = 100_000;

type Folder = Pick<FoundExtension, "folder"> & { manifest: Manifest };

export interface ReadKinds {
  /** For the row of the extension. */
  text: string;
  /** In a sentence each. Kinds whose schema cannot be used are kept without one. */
  problems: string[];
}

/** Reads files of schemas, and nothing else. `isChecked`: schemas are compiled too. */
export async function readKinds({ folder, manifest }: Folder, { isChecked = false } = {}): Promise<ReadKinds> {
  const kinds: { [kind: string]: KeptKind } = {};
  const problems: string[] = [];
  for (const field of manifest.contributes.fields) {
    const { kind, title = kind, type, index = [], text = [], normalise = false } = field;
    const schema = await readSchema(folder, field, isChecked).catch((error: Error) => {
      problems.push(`contributes.fields.${kind}.schema: ${error.message}`);
      return undefined;
    });
    kinds[kind] = { title, type, ...(schema && { schema }), index, text, normalise };
  }
  return { text: JSON.stringify(kinds), problems };
}

async function readSchema(
  folder: string,
  { schema: file }: FieldContribution,
  isChecked: boolean,
): Promise<JsonObject | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(join(folder, file), "utf8");
  if (text.length > maxSchema) throw new Error(`${file} has more than ${maxSchema} characters.`);
  let schema: Json;
  try {
    schema = JSON.parse(text) as Json;
  } catch {
    throw new Error(`${file} is no JSON.`);
  }
  if (!isJsonObject(schema)) throw new Error(`${file} must be a JSON object.`);
  if (isChecked) jsonCheck(schema);
  return schema;
}

/** By extension, what this process stored last: two nodes with different versions must not take turns for ever. */
const storedBy = perInstance((_storage: object): Map<string, string> => new Map());

/** As the row of the extension has them. */
export type Brought = Pick<ExtensionRow, "kinds" | "schemas">;

/** In the background: what the files of an enabled extension bring differs from what is kept. */
export function keepBrought(app: Pick<App, "storage" | "log">, id: string, brought: Brought): void {
  const { storage, log } = app;
  const stored = storedBy(storage);
  const text = JSON.stringify(brought);
  if (storage.isReadOnly || storage.line || stored.get(id) === text) return;
  stored.set(id, text);
  const store = () =>
    storage.write(async (tx) => {
      const row = (await lockExtension(tx, id)) ?? blankRow(id, { enabled: 1 });
      const { kinds, schemas } = brought;
      if (row.kinds !== kinds || row.schemas !== schemas) await putExtension(tx, { ...row, kinds, schemas });
    });

  setImmediate(() => {
    unclaimed(store).catch((error) => {
      stored.delete(id);
      log.warn({ err: error, extension: id }, "field kinds and schemas of an extension could not be stored");
    });
  });
}
