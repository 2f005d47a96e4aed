// What of an object stays where it is: uploaded files, passwords, and what the service notes about its own work.
// Taken out of everything that leaves, and put back into everything that comes in over an object that exists.

import { localServiceProperties } from "#content/write-rules.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";

/** What decides which values belong to the receiver. */
export interface Ownership {
  schema: FlatSchema;
  /** Properties that only the service writes, about its work in this installation. */
  local: readonly string[];
}

export function ownedBy(app: Pick<App, "rules">, collection: string, schema: FlatSchema): Ownership {
  return { schema, local: localServiceProperties(app, collection) };
}

/** What may travel. `keepsPasswords`: those that somebody wrote into a definition by hand. */
export function withoutLocal({ schema, local }: Ownership, data: JsonObject, keepsPasswords = false): JsonObject {
  const carried = strip(schema, data, keepsPasswords);
  for (const name of local) delete carried[name];
  return carried;
}

/** What came, with what the present object has that does not travel. */
export function withReceiverValues({ schema, local }: Ownership, data: JsonObject, current: JsonObject): JsonObject {
  const whole = graft(schema, data, current);
  for (const name of local) {
    const note = current[name];
    if (note !== undefined) whole[name] = note;
  }
  return whole;
}

function strip(schema: FlatSchema, data: JsonObject, keepsPasswords: boolean): JsonObject {
  const carried: JsonObject = {};
  for (const [name, value] of Object.entries(data)) {
    const property = schema.properties.get(name);
    if (property?.kind.isUploaded || (property?.isPassword && !keepsPasswords)) continue;
    const item = property?.item;
    carried[name] = item ? eachItem(property, value, (part) => strip(item, part, keepsPasswords)) : value;
  }
  return carried;
}

function graft(schema: FlatSchema, data: JsonObject, current: JsonObject): JsonObject {
  const whole = { ...data };
  for (const property of schema.properties.values()) {
    const { name, item } = property;
    const [sent, stored] = [data[name], current[name]];
    if (stored === undefined) continue;
    if (property.kind.isUploaded) whole[name] = stored;
    else if (item && sent !== undefined) {
      whole[name] = eachItem(property, sent, (part, key) => {
        const same = isDeck(property) ? itemIn(stored, part.id ?? key) : stored;
        return isJsonObject(same) ? graft(item, part, same) : part;
      });
    }
  }
  return whole;
}

/** A card, or the items of a deck, which may also come keyed by id. */
function eachItem(property: Property, value: Json, change: (part: JsonObject, key?: string) => JsonObject): Json {
  const changed = (part: Json, key?: string): Json => (isJsonObject(part) ? change(part, key) : part);
  if (!isDeck(property)) return changed(value);
  if (Array.isArray(value)) return value.map((part) => changed(part));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, changed(part, key)]));
}

function isDeck({ kind }: Property): boolean {
  return kind.type === "deck";
}

function itemIn(deck: Json, id: Json | undefined): Json | undefined {
  return Array.isArray(deck) ? deck.find((item) => isJsonObject(item) && item.id === id) : undefined;
}

/** The document without times: what two copies are compared by. */
export function withoutTimes(
  { properties }: FlatSchema,
  { created: _c, modified: _m, ...rest }: JsonObject,
): JsonObject {
  return Object.fromEntries(
    Object.entries(rest).filter(([name]) => {
      const { settings } = properties.get(name)?.definition ?? {};
      return !isJsonObject(settings) || (settings.onCreate !== true && settings.onUpdate !== true);
    }),
  );
}
