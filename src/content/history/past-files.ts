// The files that the values of an older version name. The one place where they are looked for, before such a version becomes
// the object again. What is nowhere any more is taken out of the values and named.

import type { ObjectKey } from "#content/file-removal.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { filesIn, isFolder, listOf, storedName } from "#schemas/values/file-values.ts";
import { eachShape } from "#schemas/values/walk.ts";

export interface PastFiles {
  document: JsonObject;
  /** Keys below the object's of files that are gone. */
  lost: string[];
}

/** The document with the files that there are, each where its value says. */
export async function takeBackFiles(
  { files }: Pick<Context, "files">,
  schema: FlatSchema,
  { object, document }: { object: ObjectKey & { rid: number }; document: JsonObject },
): Promise<PastFiles> {
  const lost: string[] = [];
  for (const [key, { item }] of filesIn(schema, document)) {
    const found = await files.find(`${object.collection}/${object.id}/${key}`);
    if (!found || (typeof item.size === "number" && found.size !== item.size)) lost.push(key);
  }
  return { document: lost.length === 0 ? document : withoutFiles(schema, document, new Set(lost)), lost };
}

/** A copy whose values do not name these files. */
export function withoutFiles(schema: FlatSchema, document: JsonObject, lost: ReadonlySet<string>): JsonObject {
  const copy = structuredClone(document);
  eachShape(schema, copy, (shapeSchema, shape, path) => {
    for (const { name, kind } of shapeSchema.properties.values()) {
      const value = kind.isUploaded ? shape[name] : undefined;
      if (value === undefined) continue;
      const folder = [...path, name].join("/");
      if (kind.type === "gallery") shape[name] = listOf(value).filter((item) => !isLost(item, folder, lost));
      else if (kind.type === "depot") shape[name] = withoutEntries(value, folder, lost);
      else if (isJsonObject(value) && lost.has(`${folder}/${storedName(value)}`)) delete shape[name];
    }
  });
  return copy;
}

function isLost(item: Json, folder: string, lost: ReadonlySet<string>): boolean {
  return isJsonObject(item) && lost.has(`${folder}/${item.name}`);
}

function withoutEntries(value: Json, folder: string, lost: ReadonlySet<string>): Json {
  if (!isJsonObject(value)) return value;
  const kept = listOf(value.files).filter((entry) => !isLost(entry, folder, lost));
  const files = kept.map((entry) => (isFolder(entry) ? withoutEntries(entry, `${folder}/${entry.name}`, lost) : entry));
  return { ...value, files };
}
