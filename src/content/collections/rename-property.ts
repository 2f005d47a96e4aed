// Renames a property of a schema, and keeps its values. The new definition names the old one in `formerly`, so one write of one
// file is the whole change: from then on values under the old name are shown under the new one, and the rebuild of the index,
// which goes on after a crash, moves them. Repeating a rename that was cut off finishes it.

import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import type { SchemaRecord } from "#contract/schemas.ts";
import { itemSchemaId } from "#rules/property-types.ts";
import { customSchemaIds, findFlatSchema, findRawSchema } from "#schemas/find-schema.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { readConfig } from "./collection-cache.ts";
import { changeCollectionIn } from "./put-collection.ts";
import { type Rename, renamedConfig, renamedRecord, renamedUser } from "./renamed-names.ts";
import { changeSchemas, type SchemaAnswer, type WriteOptions } from "./schemas.ts";

/** Names that mean something to the service. */
const fixedNames = new Set(["id", "created", "modified", "draft"]);

export async function renameProperty(
  ctx: Context,
  id: string,
  body: Json,
  options: WriteOptions = {},
): Promise<SchemaAnswer> {
  return changeSchemas(ctx, id, options, {
    prepare: () => {
      const rename = readRename(body);
      const schema = findRawSchema(ctx, id) as SchemaRecord;
      const isDone = isRenamed(schema, rename);
      if (!isDone) refuseRename(ctx, schema, rename);
      return [schema, ...relativesOf(ctx, id)]
        .map((record) => ({ record, after: afterRename(record, id, rename) }))
        .filter(({ record, after }) => JSON.stringify(record) !== JSON.stringify(after))
        .map(({ after }) => after);
    },
    finish: () => renameInSettings(ctx, new Set([id, ...childrenOf(ctx, id)]), readRename(body)),
  });
}

function readRename(body: Json): Rename {
  const { from, to } = isJsonObject(body) ? body : {};
  const problems = Object.entries({ from, to }).filter(([, name]) => typeof name !== "string" || name === "");
  if (problems.length > 0) {
    fail(
      "validation-failed",
      undefined,
      Object.fromEntries(problems.map(([name]) => [name, [`${name} must be the name of a property`]])),
    );
  }
  return { from: from as string, to: to as string };
}

/** By a rename before this one, which may have been cut off. */
function isRenamed({ properties }: SchemaRecord, { from, to }: Rename): boolean {
  const known = Object.hasOwn(properties, to) ? properties[to] : undefined;
  return !Object.hasOwn(properties, from) && (known?.formerly?.includes(from) ?? false);
}

function refuseRename(ctx: Context, { id, properties }: SchemaRecord, { from, to }: Rename): void {
  const refuse = (name: keyof Rename, message: string): never =>
    fail("validation-failed", undefined, { [name]: [message] });
  if (!findFlatSchema(ctx, id)?.properties.has(from)) refuse("from", `The schema has no property "${from}"`);
  if (fixedNames.has(from)) refuse("from", `"${from}" cannot be renamed: the service goes by its name`);
  if (!Object.hasOwn(properties, from))
    refuse("from", `"${from}" is inherited: rename it in the schema that defines it`);
  for (const other of [id, ...childrenOf(ctx, id)]) {
    if (fixedNames.has(to)) refuse("to", `"${to}" means something to the service: choose another name`);
    if (findFlatSchema(ctx, other)?.properties.has(to))
      refuse("to", other === id ? `There is a property "${to}" already` : `A schema that inherits has "${to}" already`);
  }
}

function afterRename(record: SchemaRecord, id: string, rename: Rename): SchemaRecord {
  const isOfFamily = record.id === id || record.inheritFrom?.includes(id);
  return renamedUser(isOfFamily ? renamedRecord(record, rename) : record, id, rename);
}

/** Those that inherit from it. */
function childrenOf(ctx: Context, id: string): string[] {
  return relativesOf(ctx, id)
    .filter(({ inheritFrom }) => inheritFrom?.includes(id))
    .map((record) => record.id);
}

/** Schemas that inherit from it, and those whose cards or decks have its shape. */
function relativesOf(ctx: Context, id: string): SchemaRecord[] {
  return customSchemaIds(ctx)
    .filter((other) => other !== id)
    .map((other) => findRawSchema(ctx, other) as SchemaRecord)
    .filter(
      ({ inheritFrom, properties }) =>
        inheritFrom?.includes(id) || Object.values(properties).some((definition) => itemSchemaId(definition) === id),
    );
}

async function renameInSettings(ctx: Context, schemas: ReadonlySet<string>, rename: Rename): Promise<void> {
  for (const row of await listCollectionRows(ctx.storage)) {
    const config = row.isDeleting ? undefined : readConfig(ctx, row);
    if (!config || !schemas.has(config.schema)) continue;
    await ctx.storage.write((tx) =>
      changeCollectionIn(ctx, tx, row.id, {
        change: (_stored, before) => renamedConfig(before, rename),
        onMissing: () => fail("not-found", "A collection was deleted meanwhile. Rename the property again."),
      }),
    );
  }
}
