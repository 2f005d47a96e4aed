// The items inside a property: the metadata of one gallery image or depot file, or one child of a card or deck item.
// What describes the bytes (name, size, type, dimensions) belongs to the file and is never taken from the caller.

import { fail } from "#base/errors.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { readFolder } from "#files/file-names.ts";
import { withEntries } from "#schemas/values/depot-tree.ts";
import { factsOf, metadataOf, valueAt, withValueAt } from "#schemas/values/file-values.ts";
import type { ObjectAnswer } from "./object-answer.ts";
import { complain, openProperty, type PropertyTarget, setProperty } from "./properties.ts";

export interface ItemChange extends Precondition {
  name: string;
  /** Of the deck item that is named. */
  child?: string | undefined;
  /** The subfolder of a depot file. */
  folder?: string | undefined;
  fields: Json;
}

export function replaceItem(ctx: Context, target: PropertyTarget, change: ItemChange): Promise<ObjectAnswer> {
  return changeItem(ctx, target, change, (item, fields) => ({ ...factsOf(item), ...fields }));
}

export function patchItem(ctx: Context, target: PropertyTarget, change: ItemChange): Promise<ObjectAnswer> {
  return changeItem(ctx, target, change, (item, fields) => ({ ...item, ...fields }));
}

type Merge = (item: JsonObject, fields: JsonObject) => JsonObject;

async function changeItem(
  ctx: Context,
  target: PropertyTarget,
  { name, child, folder, fields, ifMatch }: ItemChange,
  merge: Merge,
): Promise<ObjectAnswer> {
  const opened = await openProperty(ctx, target);
  const { kind } = opened.property;
  const known = name.normalize("NFC");
  if (kind.type === "deck" && child !== undefined) {
    return setProperty(ctx, opened, {
      ifMatch,
      sent: [{ id: name, [child]: fields }],
      next(deck) {
        const item = valueAt(deck, [name]) ?? noItem(name);
        return withValueAt(deck, [name], withChild(item, child, fields, merge)) as Json;
      },
    });
  }
  if (child !== undefined) return noItem(`${name}/${child}`);
  if (kind.type === "card") {
    return setProperty(ctx, opened, {
      ifMatch,
      sent: { [name]: fields },
      next: (card) => withChild(card, name, fields, merge),
    });
  }
  if (!isJsonObject(fields)) return complain(target.property, "The body must be an object with metadata.");
  const { files: _, ...metadata } = metadataOf(fields);
  const apply = (item: JsonObject): JsonObject => merge(item, metadata);
  return setProperty(ctx, opened, {
    ifMatch,
    sent: metadata,
    next(current) {
      switch (kind.type) {
        case "image":
        case "file":
          return isJsonObject(current) && current.name === known ? apply(current) : noItem(name);
        case "gallery":
          return mapNamed(Array.isArray(current) ? current : [], known, apply);
        case "depot":
          return isJsonObject(current)
            ? withEntries(current, readFolder(folder ?? ""), (entries) => mapNamed(entries, known, apply))
            : noItem(name);
        default:
          return noItem(name);
      }
    },
  });
}

function withChild(card: Json | undefined, name: string, fields: Json, merge: Merge): Json {
  const stored = isJsonObject(card) ? card : {};
  const child = stored[name];
  return { ...stored, [name]: isJsonObject(child) && isJsonObject(fields) ? merge(child, fields) : fields };
}

function mapNamed(items: Json[], name: string, apply: (item: JsonObject) => JsonObject): Json[] {
  const at = items.findIndex((item) => isJsonObject(item) && item.name === name && item.mime !== "folder");
  return at < 0 ? noItem(name) : items.with(at, apply(items[at] as JsonObject));
}

function noItem(name: string): never {
  fail("not-found", `There is no item "${name}".`);
}
