// collection:list, get, create, delete.

import type { Call } from "#cli/call.ts";
import { readJsonObject } from "#cli/input.ts";
import { requireConsent } from "#cli/prompts.ts";
import { UsageError } from "#cli/usage.ts";
import * as collections from "#content/collections/collections.ts";
import { deleteCollection as remove } from "#content/collections/delete-collection.ts";
import type { Json, JsonObject } from "#contract/json.ts";

export async function listCollections(call: Call): Promise<void> {
  const all = await call.work((ctx) => collections.listCollections(ctx));
  if (call.isJson) return call.out.json(all as unknown as Json);
  await call.out.table(
    ["COLLECTION", "TITLE", "OBJECTS", "SCHEMA"],
    all.map((collection) => [collection.name, collection.title, String(collection.count), collection.schema]),
  );
}

export async function getCollection(call: Call, _options: unknown, id: string): Promise<void> {
  await call.out.json((await call.work((ctx) => collections.getSettings(ctx, id))) as Json);
}

export async function createCollection(
  call: Call,
  options: { schema?: string; name?: string; settings?: string },
  id: string,
): Promise<void> {
  const more =
    options.settings === undefined
      ? {}
      : await readJsonObject(call.host, { dataJson: options.settings, option: "--settings" });
  const body: JsonObject = { ...more, id };
  if (options.schema !== undefined) body.schema = options.schema;
  if (options.name !== undefined) body.name = options.name;
  if (body.schema === undefined) throw new UsageError("A collection needs a schema: --schema.");
  const settings = await call.work((ctx) => collections.createCollection(ctx, body));
  if (call.isJson) await call.out.json(settings as Json);
  else await call.out.line(`Collection ${id} is created.`);
}

export async function deleteCollection(call: Call, options: { force?: boolean }, id: string): Promise<number> {
  const isMeant = await requireConsent(
    call.host,
    options.force === true,
    `Delete collection ${id} with all its objects?`,
  );
  if (!isMeant) {
    call.remark("Nothing is deleted.");
    return 1;
  }
  await call.work((ctx) => remove(ctx, id, { confirm: id }));
  if (call.isJson) await call.out.json({ deleted: id });
  else await call.out.line(`Collection ${id} is deleted.`);
  return 0;
}
