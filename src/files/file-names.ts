// Names of uploaded files and folders: readable in every language, and never more than a name.

import { fail } from "#base/errors.ts";
import { isSegment } from "./keys.ts";

const maxBytes = 200;
const maxExtensionBytes = 20;
const maxDepth = 16;

/** A placeholder for removed characters, until their neighbours are known. */
const gap = "\u0000";

/** Letters, digits, `._- ` of the last part of the sent name; the extension stays. */
export function cleanFileName(name: string): string {
  return cleanName(name.split(/[/\\]/).at(-1) as string) || "file";
}

/** Empty when nothing of it is left. */
function cleanName(name: string): string {
  const clean = name
    .normalize("NFC")
    // As forms encode quotes and line ends.
    .replace(/%(?:22|0[AD])/gi, gap)
    .replace(/[^\p{L}\p{M}\p{N}._\- ]+/gu, gap)
    .replace(new RegExp(`^${gap}(?=\\.)`), "file")
    .replaceAll(new RegExp(`${gap}?([. ])${gap}?`, "g"), "$1")
    .replaceAll(new RegExp(`^${gap}|${gap}$`, "g"), "")
    .replaceAll(gap, "-")
    .replace(/ {2,}/g, " ")
    .replace(/^[. ]+/, "")
    .replace(/[. ]+$/, "");
  return shorten(clean, "");
}

/** The name, or the first of `name-2`, `name-3` ... that is not taken. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  if (!taken(name)) return name;
  for (let number = 2; ; number++) {
    const candidate = shorten(name, `-${number}`);
    if (!taken(candidate)) return candidate;
  }
}

/**
 * The names in a path within a property, unchanged: existing files are found by their own name alone. None for the property
 * itself; fails for a path that would leave it. `field`: the caller's name for the path.
 */
export function readFolder(path: string, field = "path"): string[] {
  const segments = path
    .normalize("NFC")
    .replace(/^\/|\/$/g, "")
    .split("/");
  if (segments.length === 1 && segments[0] === "") return [];
  if (segments.length > maxDepth) fail("invalid", "The folders are nested too deeply.", { [field]: ["is too deep"] });
  for (const segment of segments) if (!isSegment(segment) || segment.startsWith(".")) refuseFolder(field);
  return segments;
}

/** The names of folders that may have to be created. */
export function cleanFolder(path: string, field = "path"): string[] {
  return readFolder(path, field).map((segment) => cleanName(segment) || refuseFolder(field));
}

function refuseFolder(field: string): never {
  fail("invalid", "The path is not allowed.", { [field]: ["must be names of folders, separated by slashes"] });
}

/** With `ending` before the extension, at most this many bytes long; whole characters are cut from the end of the stem. */
function shorten(name: string, ending: string): string {
  const dot = name.lastIndexOf(".");
  const hasExtension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= maxExtensionBytes;
  const extension = ending + (hasExtension ? name.slice(dot) : "");
  let stem = hasExtension ? name.slice(0, dot) : name;
  const room = maxBytes - Buffer.byteLength(extension);
  if (Buffer.byteLength(stem) > room) {
    const segments = [...new Intl.Segmenter("en").segment(stem)];
    while (Buffer.byteLength(stem) > room) stem = stem.slice(0, segments.pop()?.index ?? 0);
    stem = stem.trimEnd();
  }
  return stem + extension;
}
