// The addresses of files as the rich-text editor writes them into a text: shown, played or fetched by what a file is.

import { isImageName } from "#schemas/values/file-values.ts";
import type { FileEntry, FileRef } from "#schemas/values/resolve-file.ts";

export interface ListedFile {
  name: string;
  /** Empty when the file is no image. */
  thumbnail: string;
  url: string;
}

const thumbnail = "w=200&h=200&fit=crop";

/** To a file that no value names. Its name says what it is: the inspection has made that true. */
export function linkToUpload(ref: FileRef): string {
  const name = ref.path.at(-1) as string;
  const route = isImageName(name) ? "imageworks" : mediaRoute(name);
  return `/${route}/upload/${addressOf(ref)}`;
}

/** To a file that a value names. An image has its address in the value. `place`: the path of the property. */
export function linkToEntry(object: FileRef, place: readonly string[], { property, value, path }: FileEntry): string {
  const { name, url } = value;
  if (typeof url === "string") return url;
  const route = mediaRoute(name);
  if (property.kind.type === "file") return `/${route}/${addressOf({ ...object, path: place })}`;
  const folders = path.slice(place.length, -1).join("/");
  const query = folders === "" ? "" : `?path=${encodeURIComponent(folders)}`;
  return `/${route}/${addressOf({ ...object, path: [...place, name] })}${query}`;
}

export function listedFile(name: string, url: string): ListedFile {
  const isImage = url.startsWith("/imageworks/");
  return { name, thumbnail: isImage ? `${url}${url.includes("?") ? "&" : "?"}${thumbnail}` : "", url };
}

function mediaRoute(name: string): string {
  const isMedia = /\.(?:mp3|mpga|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|webm|ogv|mov)$/i.test(name);
  return isMedia ? "stream" : "download";
}

function addressOf({ collection, id, path }: FileRef): string {
  return [collection, id, ...path].map(encodeURIComponent).join("/");
}
