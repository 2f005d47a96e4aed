// The schemas that an extension brings, as they are kept in the database: objects outlive the code. Nothing of it runs here.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "#base/errors.ts";
import { isUsedSchema } from "#content/collections/schemas.ts";
import type { Context } from "#context.ts";
import type { KeptKind, Manifest } from "#contract/extensions.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { SchemaRecord } from "#contract/schemas.ts";
import type { FoundExtension } from "#extensions/discover.ts";
import { type AddedKinds, addedKinds, toAddedKinds } from "#schemas/added-kinds.ts";
import { addedSchemaId, addedSchemas } from "#schemas/added-schemas.ts";
import { builtInSchemas } from "#schemas/builtin/all.ts";
import { readRecord } from "#schemas/find-schema.ts";
import { normaliseSchema } from "#schemas/normalise-schema.ts";
import type { ExtensionRow } from "#storage/tables/extensions/extensions.ts";

/** An extension, joined with its row. */
interface Decided extends Pick<FoundExtension, "id" | "folder" | "manifest"> {
  row: ExtensionRow | undefined;
  enabled: boolean;
}

export type KeptSchemas = { [id: string]: SchemaRecord };

export interface ReadSchemas {
  schemas: KeptSchemas;
  /** In a sentence each. What cannot be used is left out. */
  problems: string[];
}

type Folder = Pick<FoundExtension, "folder"> & { manifest: Manifest };

/** `kinds`: those of the same extension, which may not be stored yet. `storage`: where those of others are known. */
export async function readSchemas(
  { folder, manifest }: Folder,
  { storage, kinds }: { storage: object; kinds: string },
): Promise<ReadSchemas> {
  const { id, contributes } = manifest;
  const problems: string[] = [];
  const written = new Map<string, JsonObject>();
  for (const file of contributes.schemas) {
    const content = await readJson(join(folder, file)).catch(() => undefined);
    if (!isJsonObject(content)) problems.push(`contributes.schemas: ${file} must be a JSON object.`);
    else written.set(addedSchemaId(id, file), { ...content, id: addedSchemaId(id, file) });
  }
  const own = new Map([...written].map(([schema, content]) => [schema, readRecord(schema, content)]));
  const find = (schema: string): SchemaRecord | undefined =>
    own.get(schema) ?? builtInSchemas.get(schema) ?? addedSchemas(storage).get(schema)?.record;
  const known: AddedKinds = new Map([
    ...addedKinds(storage),
    ...toAddedKinds(id, JSON.parse(kinds) as { [kind: string]: KeptKind }),
  ]);
  const schemas: KeptSchemas = {};
  for (const [schema, content] of written) {
    const stranger = (own.get(schema)?.inheritFrom ?? []).find((parent) => !find(parent));
    if (stranger !== undefined)
      problems.push(
        `contributes.schemas: ${schema} inherits from "${stranger}", which is neither Cairn's nor of an extension.`,
      );
    try {
      const { updated: _, ...record } = normaliseSchema(content, { find, now: "", kinds: known });
      schemas[schema] = record;
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      const details = Object.entries(error.details ?? {}).map(([name, messages]) => `${name}: ${messages.join(", ")}`);
      problems.push(`contributes.schemas: ${schema}: ${details.join("; ") || error.message}.`);
    }
  }
  return { schemas, problems };
}

async function readJson(file: string): Promise<Json> {
  return JSON.parse(await readFile(file, "utf8")) as Json;
}

export function bringsSchemas({ row, manifest }: Decided): boolean {
  return (row?.schemas ?? "{}") !== "{}" || (manifest?.contributes.schemas.length ?? 0) > 0;
}

/**
 * For its row, under the lock of schemas: what it brings once the row is as given, and of the ones before those that a
 * collection or another schema uses.
 */
export async function schemasAfter(
  ctx: Context,
  { folder, manifest, row }: Decided,
  { enabled, switchedOff, kinds }: Pick<ExtensionRow, "enabled" | "switchedOff" | "kinds">,
): Promise<string> {
  const isOn = enabled === 1 && !(JSON.parse(switchedOff) as string[]).includes("schemas:all");
  const brought =
    manifest && isOn ? await readSchemas({ folder, manifest }, { storage: ctx.storage, kinds }) : undefined;
  const kept: KeptSchemas = {};
  for (const [id, record] of Object.entries(JSON.parse(row?.schemas ?? "{}") as KeptSchemas))
    if (await isUsedSchema(ctx, id)) kept[id] = record;
  return JSON.stringify({ ...kept, ...brought?.schemas });
}

/** Schemas of its own that are not used: the site or another extension has some of these ids. */
export function schemasProblem(ctx: Context, { id, manifest, enabled }: Decided): string | undefined {
  if (!enabled) return undefined;
  const taken = (manifest?.contributes.schemas ?? []).flatMap((file) => {
    const schema = addedSchemaId(id, file);
    const owner = ctx.schemaFiles.find(schema) ? "the site" : addedSchemas(ctx.storage).get(schema)?.extension;
    return owner === undefined || owner === id ? [] : [`The schema ${schema} is taken by ${owner}.`];
  });
  return taken.length === 0 ? undefined : taken.join(" ");
}
