// object:get, create, patch, delete.

import { fail } from "#base/errors.ts";
import type { Call } from "#cli/call.ts";
import { type JsonSource, parseValue, readJsonObject, splitPair } from "#cli/input.ts";
import { JsonText } from "#cli/output.ts";
import { requireConsent } from "#cli/prompts.ts";
import * as objects from "#content/objects/objects.ts";
import type { JsonObject } from "#contract/json.ts";

export async function getObject(call: Call, _options: unknown, collection: string, id: string): Promise<void> {
  const { text } = await call.work((ctx) => objects.getObject(ctx, collection, id));
  await call.out.json(call.isJson ? new JsonText(text) : (JSON.parse(text) as JsonObject));
}

export async function createObject(
  call: Call,
  options: { dataJson?: string },
  collection: string,
  file?: string,
): Promise<void> {
  const body = await readJsonObject(call.host, { file, dataJson: options.dataJson });
  const object = await call.work((ctx) => objects.createObject(ctx, collection, body));
  if (call.isJson) await call.out.json(new JsonText(object.text));
  else await call.out.line(`${collection}/${object.id} is created.`);
}

export async function patchObject(
  call: Call,
  options: { property: string[]; dataJson?: string },
  ...[collection, id, file]: [string, string, string?]
): Promise<void> {
  const named = options.property.map((pair): [string, string] => splitPair(pair, "--property"));
  const body = await patchOf(call, named, { file, dataJson: options.dataJson });
  const prepare: objects.ObjectChange["prepare"] = (sent, _current, { properties, id: schema }) => {
    const unknown = named.find(([name]) => !properties.has(name));
    if (unknown) fail("not-found", `There is no property "${unknown[0]}" in the schema "${schema}".`);
    return sent;
  };
  const object = await call.work((ctx) => objects.patchObject(ctx, collection, id, { body, prepare }));
  if (call.isJson) await call.out.json(new JsonText(object.text));
  else await call.out.line(`${collection}/${object.id} is changed.`);
}

/** --property overrides the JSON; with neither, reports that input is missing. */
async function patchOf(call: Call, named: readonly [string, string][], source: JsonSource): Promise<JsonObject> {
  const hasJson = source.file !== undefined || source.dataJson !== undefined || named.length === 0;
  const body = hasJson ? await readJsonObject(call.host, source) : {};
  return { ...body, ...Object.fromEntries(named.map(([name, value]) => [name, parseValue(value)])) };
}

export async function deleteObject(
  call: Call,
  options: { force?: boolean },
  ...[collection, id]: [string, string]
): Promise<number> {
  if (!(await requireConsent(call.host, options.force === true, `Delete ${collection}/${id}?`))) {
    call.remark("Nothing is deleted.");
    return 1;
  }
  await call.work((ctx) => objects.deleteObject(ctx, collection, id, {}));
  if (call.isJson) await call.out.json({ deleted: id });
  else await call.out.line(`${collection}/${id} is deleted.`);
  return 0;
}
