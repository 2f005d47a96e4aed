// What a field takes, in words, and what is wrong with a file before it is sent. The server decides.

import type { JsonObject } from "@contract/json.ts";
import { findBrokenCount, findBrokenRule, readUploadRules, type UploadRule } from "@rules/upload-rules.ts";
import type { files } from "#words/en/files.ts";
import { measureImage } from "./measure-image.ts";

type Words = typeof files;

/** What the browser's file chooser offers for pictures. */
export const pictureTypes =
  "image/jpeg,image/png,image/gif,image/webp,image/avif,image/heic,image/heif,image/svg+xml,.heic,.heif";
const pictures = /^image\/(?:jpeg|png|gif|webp|avif|heic|heif|svg\+xml)$/;
const pictureNames = /\.(?:jpe?g|jpe|jfif|png|gif|webp|avif|svg|heic|heif)$/i;

export interface Taking {
  settings: JsonObject;
  takes: "pictures" | "files";
  /** Of the server, in bytes. */
  maxSize: number;
}

/** Each rule as a sentence; what the server takes at most is one of them. */
export function rulesInWords({ settings, takes, maxSize }: Taking, words: Words): string[] {
  const rules = readUploadRules(settings);
  const hasTypes = rules.some(({ rule }) => rule === "filetype");
  const hasSize = rules.some((rule) => rule.rule === "size" && "max" in rule && rule.max !== undefined);
  return [
    ...(takes === "pictures" && !hasTypes ? [words.pictureTypes] : []),
    ...rules.map((rule) => ruleText(rule, words)),
    ...(hasSize || !Number.isFinite(maxSize) ? [] : [words.atMost(maxSize)]),
  ];
}

/** What is wrong with the file, in words. */
export async function checkFile(
  file: File,
  { settings, takes, maxSize }: Taking,
  words: Words,
): Promise<string | undefined> {
  if (file.size === 0) return words.isEmpty;
  if (file.size > maxSize) return words.tooLarge(file.size, maxSize);
  const isPicture = pictures.test(file.type) || (file.type === "" && pictureNames.test(file.name));
  if (takes === "pictures" && !isPicture) return words.noPicture;
  const rules = readUploadRules(settings);
  const needsSides = rules.some(({ rule }) => ["width", "height", "orientation", "aspectratio"].includes(rule));
  const image = takes === "pictures" && needsSides ? await measureImage(file) : undefined;
  // The server turns HEIC into JPEG before it looks at the type.
  const isConverted = /^image\/hei[cf]$/.test(file.type) || /\.hei[cf]$/i.test(file.name);
  const mime = isConverted ? "image/jpeg" : file.type;
  const name = isConverted ? file.name.replace(/\.hei[cf]$/i, ".jpg") : file.name;
  // A size of its own is not the one that a converted file has.
  const size = isConverted ? 0 : file.size;
  const broken = findBrokenRule(isConverted ? withoutSize(settings) : settings, { name, mime, size, image });
  return broken && words.breaks(ruleText(broken, words), image ? words.sides(image.width, image.height) : "");
}

/** Number of files with the new one. */
export function checkCount({ settings }: Taking, count: number, words: Words): string | undefined {
  const broken = findBrokenCount(settings, count);
  return broken && words.tooMany(ruleText(broken, words));
}

function withoutSize(settings: JsonObject): JsonObject {
  return { ...settings, rules: { ...(settings.rules as JsonObject), size: null } };
}

export function ruleText(rule: UploadRule, words: Words): string {
  if ("any" in rule) return words.choices[rule.rule](rule.any);
  return words.ranges[rule.rule](rule.min, rule.max);
}
