// The values of an object that belong to its installation: uploaded files, passwords, and service properties.
// They are removed from every export, and kept when an import replaces an object.

import { localServiceProperties } from "#content/write-rules.ts";
import type { App } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { mapShapes, shapesOf } from "#schemas/values/walk.ts";

/** Decides which values belong to the receiver. */
export interface Ownership {
  schema: FlatSchema;
  /** Properties that only the service writes, about its work in this installation. */
  local: readonly string[];
}

export function ownedBy(app: Pick<App, "rules">, collection: string, schema: FlatSchema): Ownership {
  return { schema, local: localServiceProperties(app, collection) };
}

/** The values that may leave. `keepsPasswords`: for passwords written into a definition by hand. */
export function withoutLocal({ schema, local }: Ownership, data: JsonObject, keepsPasswords = false): JsonObject {
  const carried = strip(schema, data, keepsPasswords);
  for (const name of local) delete carried[name];
  return carried;
}

/** The sent values, with the values of the stored object that belong to the receiver. */
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
    carried[name] = item ? mapShapes(property, value, (part) => strip(item, part.value, keepsPasswords)) : value;
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
      const own = new Map(shapesOf(property, stored).map(({ id, value }) => [id, value]));
      whole[name] = mapShapes(property, sent, ({ id, value }) => {
        const same = isDeck(property) && id === undefined ? undefined : own.get(id);
        return same ? graft(item, value, same) : value;
      });
    }
  }
  return whole;
}

function isDeck({ kind }: Property): boolean {
  return kind.type === "deck";
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
