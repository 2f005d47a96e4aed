// Values as one line of text: HTML without its marks, structures in short. Pure.

import { isJsonObject, type Json } from "@contract/json.ts";

const longest = 300;

export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value).slice(0, longest);
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(", ").slice(0, longest);
  return JSON.stringify(value).slice(0, longest);
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** For reading in one line only: it is never put into a page as HTML. */
export function plainText(html: string): string {
  return html
    .slice(0, 4 * longest)
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*(>|$)/g, " ")
    .replace(/&(?:#(\d+)|#x([\da-f]+)|([a-z]+));/gi, (all, decimal, hex, name) => {
      if (name) return entities[name.toLowerCase()] ?? all;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code < 0x11_00_00 ? String.fromCodePoint(code) : "";
    })
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longest);
}

/** The first text of a localized value. */
export function localText(value: Json | undefined): string {
  if (!isJsonObject(value)) return textOf(value);
  return textOf(Object.values(value).find((text) => typeof text === "string" && text !== ""));
}

/** How many things a gallery, deck or depot holds; folders of a depot count by what is in them. */
export function countOf(value: Json | undefined): number {
  if (Array.isArray(value)) return value.length;
  if (!isJsonObject(value)) return 0;
  return Array.isArray(value.files) ? countFiles(value.files) : Object.keys(value).length;
}

function countFiles(files: readonly Json[]): number {
  const inside = (file: Json) => (isJsonObject(file) && Array.isArray(file.files) ? countFiles(file.files) : 1);
  return files.reduce<number>((sum, file) => sum + inside(file), 0);
}
