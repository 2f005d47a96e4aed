// Which image an imageworks address means: by property, by name, or by one of the words first, last, random, featured.
// The last segment carries the format as its extension.

import type { JsonObject } from "#contract/json.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { extensionOf } from "#schemas/values/file-values.ts";
import {
  type FileEntry,
  type FileRef,
  type FilledPlace,
  isSingle,
  listEntries,
  resolvePlace,
} from "#schemas/values/resolve-file.ts";

export interface ImageAddress extends FileRef {
  path: string[];
  isUpload: boolean;
}

export interface PickedImage {
  entry: FileEntry;
  /** What the address ends in; empty: nothing. */
  extension: string;
  /** Another request may get another image. */
  isRandom: boolean;
  /** Why the address leads to no image all the same, for callers that may see it. */
  problem?: string;
}

/** The short forms are those of the collections `image` and `gallery`. */
export function readAddress(segments: readonly string[]): ImageAddress | undefined {
  const [first = "", second = "", ...rest] = segments;
  switch (segments.length) {
    case 0:
      return undefined;
    case 1: {
      const extension = extensionOf(first);
      const path = [extension === "" ? "image" : `image.${extension}`];
      return { collection: "image", id: stemOf(first), path, isUpload: false };
    }
    case 2:
      return { collection: "gallery", id: first, path: ["gallery", second], isUpload: false };
  }
  if (first !== "upload" || segments.length < 5) return { collection: first, id: second, path: rest, isUpload: false };
  const [id = "", ...path] = rest;
  return { collection: second, id, path, isUpload: true };
}

export function pickImage(schema: FlatSchema, document: JsonObject, path: readonly string[]): PickedImage | undefined {
  const last = path.at(-1) ?? "";
  const exact = resolvePlace(schema, document, path);
  if (exact) return pick(exact);
  const extension = extensionOf(last);
  const place = extension === "" ? undefined : resolvePlace(schema, document, [...path.slice(0, -1), stemOf(last)]);
  return place && pick(place, extension);
}

function pick(place: FilledPlace, extension = ""): PickedImage | undefined {
  const { property, path, rest } = place;
  const name = rest.at(-1);
  const folder = [...path, ...rest.slice(0, -1)].join("/");
  const images = listEntries(place).filter(
    (entry) => isImage(entry) && (property.kind.type !== "depot" || entry.path.slice(0, -1).join("/") === folder),
  );
  if (name === undefined)
    return isSingle(property) && images[0] ? { entry: images[0], extension, isRandom: false } : undefined;
  if (property.kind.type !== "depot" && rest.length > 1) return undefined;
  const chosen = choose(images, name);
  if (chosen) return { ...chosen, extension: "" };
  const entry = findNamed(images, name);
  if (entry) return { entry, extension: extensionOf(name), isRandom: false };
  const word = stemOf(name);
  const meant = choose(images, word);
  const problem = `There is no such file. ${word} takes no extension: write ${word}?format=${extensionOf(name)}.`;
  return meant && { ...meant, extension: "", problem };
}

function choose(images: FileEntry[], word: string): { entry: FileEntry; isRandom: boolean } | undefined {
  const featured = images.filter(({ value }) => value.featured === true);
  const some = word === "featured" && featured.length > 0 ? featured : images;
  const at = { first: 0, last: some.length - 1, random: chance(some), featured: chance(some) }[word];
  const entry = at === undefined ? undefined : some[at];
  const isRandom = word === "random" || (word === "featured" && some.length > 1);
  return entry && { entry, isRandom };
}

function chance({ length }: unknown[]): number {
  return Math.floor(Math.random() * length);
}

/** `a.png` is the image of that name; else whose name it is with a format behind it; else the first whose stem it is. */
function findNamed(images: FileEntry[], name: string): FileEntry | undefined {
  const stem = stemOf(name);
  return (
    images.find(({ value }) => value.name === name) ??
    images.find(({ value }) => value.name === stem) ??
    images.find(({ value }) => stemOf(value.name) === stem && extensionOf(name) !== "")
  );
}

function isImage({ value }: FileEntry): boolean {
  return typeof value.mime === "string" && value.mime.startsWith("image/");
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
