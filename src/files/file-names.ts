// Names of uploaded files and folders: readable in every language, and never more than a name.

import { fail } from "#base/errors.ts";
import { isSegment } from "./keys.ts";

const maxBytes = 200;
const maxExtensionBytes = 20;
const maxDepth = 16;

/** Stands for what was taken out, until it is known what is beside it. */
const gap = "\u0000";

/** Letters, digits, `._- ` of the last part of what was sent; the extension stays. */
export function cleanFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) as string;
  const clean = base
    .normalize("NFC")
    // As forms write quotes and ends of lines.
    .replace(/%(?:22|0[AD])/gi, gap)
    .replace(/[^\p{L}\p{M}\p{N}._\- ]+/gu, gap)
    .replace(new RegExp(`^${gap}(?=\\.)`), "file")
    .replaceAll(new RegExp(`${gap}?([. ])${gap}?`, "g"), "$1")
    .replaceAll(new RegExp(`^${gap}|${gap}$`, "g"), "")
    .replaceAll(gap, "-")
    .replace(/ {2,}/g, " ")
    .replace(/^[. ]+/, "")
    .replace(/[. ]+$/, "");
  return shorten(clean === "" ? "file" : clean, "");
}

/** The name, or the first of `name-2`, `name-3` ... that is not taken. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  if (!taken(name)) return name;
  for (let number = 2; ; number++) {
    const candidate = shorten(name, `-${number}`);
    if (!taken(candidate)) return candidate;
  }
}

/** The folders of a path within a property; none for the property itself. */
export function cleanFolder(path: string): string[] {
  const segments = path.replace(/^\/|\/$/g, "").split("/");
  if (segments.length === 1 && segments[0] === "") return [];
  if (segments.length > maxDepth) fail("invalid", "The folders are nested too deeply.", { path: ["is too deep"] });
  for (const segment of segments) {
    if (!isSegment(segment) || segment.startsWith("."))
      fail("invalid", "The path is not allowed.", { path: ["must be names of folders, separated by slashes"] });
  }
  return segments.map(cleanFileName);
}

/** With `ending` before the extension, at most so many bytes long; whole characters go from the end of the stem. */
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
