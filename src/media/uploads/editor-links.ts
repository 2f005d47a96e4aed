// The addresses of files as the rich-text editor writes them into a text: shown, played or fetched by what a file is.

import type { ObjectKey } from "#content/file-removal.ts";
import { isImageName } from "#schemas/values/file-values.ts";
import type { FileEntry, FilePlace } from "#schemas/values/resolve-file.ts";

export interface ListedFile {
  name: string;
  /** Empty when the file is no image. */
  thumbnail: string;
  url: string;
}

const thumbnail = "w=200&h=200&fit=crop";

/** To a file that no value names. Its name says what it is: the gate has made that true. */
export function linkToUpload(object: ObjectKey, key: string): string {
  const door = isImageName(key) ? "imageworks" : mediaDoor(key);
  return `/${door}/upload/${addressOf(object, key.split("/"))}`;
}

/** To a file that a value names. An image has its address in the value. */
export function linkToEntry(object: ObjectKey, place: Pick<FilePlace, "property" | "path">, entry: FileEntry): string {
  const { name, url } = entry.value;
  if (typeof url === "string") return url;
  const door = mediaDoor(name);
  if (place.property.kind.type === "file") return `/${door}/${addressOf(object, place.path)}`;
  const folders = entry.path.slice(place.path.length, -1).join("/");
  const query = folders === "" ? "" : `?path=${encodeURIComponent(folders)}`;
  return `/${door}/${addressOf(object, [...place.path, name])}${query}`;
}

export function listedFile(name: string, url: string): ListedFile {
  const isImage = url.startsWith("/imageworks/");
  return { name, thumbnail: isImage ? `${url}${url.includes("?") ? "&" : "?"}${thumbnail}` : "", url };
}

function mediaDoor(name: string): string {
  const isMedia = /\.(?:mp3|mpga|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|webm|ogv|mov)$/i.test(name);
  return isMedia ? "stream" : "download";
}

function addressOf({ collection, id }: ObjectKey, path: readonly string[]): string {
  return [collection, id, ...path].map(encodeURIComponent).join("/");
}
