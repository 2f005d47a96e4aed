// The items inside a property: the metadata of one gallery image or depot file, or one child of a card.
// What describes the bytes (name, size, type, dimensions) belongs to the file and is never taken from the caller.

import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { ObjectAnswer, Precondition } from "./objects.ts";
import { complain, openProperty, type PropertyTarget, setProperty } from "./properties.ts";

export interface ItemChange extends Precondition {
  name: string;
  /** The subfolder of a depot file. */
  folder?: string | undefined;
  fields: Json;
}

const fileFacts = [
  "name",
  "ext",
  "mime",
  "size",
  "width",
  "height",
  "hash",
  "exif",
  "palette",
  "thumbhash",
  "uploadDate",
  "url",
  "count",
  "files",
];

export function replaceItem(ctx: Context, target: PropertyTarget, change: ItemChange): Promise<ObjectAnswer> {
  return changeItem(ctx, target, change, (item, fields) => ({ ...facts(item), ...fields }));
}

export function patchItem(ctx: Context, target: PropertyTarget, change: ItemChange): Promise<ObjectAnswer> {
  return changeItem(ctx, target, change, (item, fields) => ({ ...item, ...fields }));
}

type Merge = (item: JsonObject, fields: JsonObject) => JsonObject;

async function changeItem(
  ctx: Context,
  target: PropertyTarget,
  { name, folder, fields, ifMatch }: ItemChange,
  merge: Merge,
): Promise<ObjectAnswer> {
  const { kind } = await openProperty(ctx, target);
  if (kind.type === "card") {
    return setProperty(ctx, target, {
      ifMatch,
      sent: { [name]: fields },
      next: (card) => withChild(card, name, fields, merge),
    });
  }
  if (!isJsonObject(fields)) return complain(target.property, "The body must be an object with metadata.");
  const metadata = Object.fromEntries(Object.entries(fields).filter(([key]) => !fileFacts.includes(key)));
  const apply = (item: JsonObject): JsonObject => merge(item, metadata);
  return setProperty(ctx, target, {
    ifMatch,
    sent: null,
    next(current) {
      switch (kind.type) {
        case "image":
        case "file":
          return isJsonObject(current) && current.name === name ? apply(current) : noItem(name);
        case "gallery":
          return mapNamed(Array.isArray(current) ? current : [], name, apply);
        case "depot":
          return isJsonObject(current)
            ? { ...current, files: inFolder(current.files, segments(folder), (files) => mapNamed(files, name, apply)) }
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

function facts(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => fileFacts.includes(key)));
}

function mapNamed(items: Json[], name: string, apply: (item: JsonObject) => JsonObject): Json[] {
  const at = items.findIndex((item) => isJsonObject(item) && item.name === name && item.mime !== "folder");
  return at < 0 ? noItem(name) : items.with(at, apply(items[at] as JsonObject));
}

/** Applies to the list of files in a nested folder; the way there is copied. */
function inFolder(files: Json | undefined, path: string[], apply: (files: Json[]) => Json[]): Json[] {
  const list = Array.isArray(files) ? files : [];
  const [first, ...rest] = path;
  if (first === undefined) return apply(list);
  const at = list.findIndex((item) => isJsonObject(item) && item.mime === "folder" && item.name === first);
  if (at < 0) return fail("not-found", `There is no folder "${first}".`);
  const folder = list[at] as JsonObject;
  return list.with(at, { ...folder, files: inFolder(folder.files, rest, apply) });
}

function segments(folder: string | undefined): string[] {
  const parts = (folder ?? "").split("/").filter((part) => part !== "");
  if (parts.includes("..") || parts.includes("."))
    fail("invalid", "The path is not valid.", { path: ["Must stay inside the property."] });
  return parts;
}

function noItem(name: string): never {
  fail("not-found", `There is no item "${name}".`);
}
