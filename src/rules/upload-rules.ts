// The rules that a schema sets for uploads (`settings.rules`): size, dimensions, number, form, type and name.
// An invalid rule is ignored. The server enforces them; the admin checks them before a file is sent. Pure.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

export interface CheckedFile {
  name: string;
  /** Empty where it is not known: then a rule about types is only checked by extension. */
  mime: string;
  /** In bytes. */
  size: number;
  image?: { width: number; height: number } | undefined;
}

/** Sizes are in KB, sides in pixels. */
export type RangeRule = "size" | "width" | "height" | "count";
export type ChoiceRule = "orientation" | "aspectratio" | "filetype" | "filename";

export type UploadRule =
  | { rule: RangeRule; min: number | undefined; max: number | undefined }
  | { rule: ChoiceRule; any: string[] };

/** Tolerance of an image's aspect ratio. */
const ratioTolerance = 0.01;
const ranges: readonly RangeRule[] = ["size", "width", "height", "count"];
const choices: readonly ChoiceRule[] = ["orientation", "aspectratio", "filetype", "filename"];

/** All that the settings of a field have, in the order in which they are checked. */
export function readUploadRules({ rules }: JsonObject): UploadRule[] {
  if (!isJsonObject(rules)) return [];
  return [
    ...ranges.flatMap((rule) => readRange(rule, rules[rule])),
    ...choices.flatMap((rule) => {
      const any = textsOf(rules[rule]);
      return any.length > 0 ? [{ rule, any }] : [];
    }),
  ];
}

function readRange(rule: RangeRule, range: Json | undefined): UploadRule[] {
  if (!isJsonObject(range)) return [];
  const [min, max] = [numberOf(range.min), numberOf(range.max)];
  return min === undefined && max === undefined ? [] : [{ rule, min, max }];
}

/** The first rule that the file breaks. */
export function findBrokenRule(settings: JsonObject, file: CheckedFile): UploadRule | undefined {
  return readUploadRules(settings).find((rule) => !isKept(rule, file));
}

/** Number of files in a gallery or depot, with the new one. A minimum is no matter of a single upload. */
export function findBrokenCount(settings: JsonObject, count: number): UploadRule | undefined {
  return readUploadRules(settings).find((rule) => rule.rule === "count" && rule.max !== undefined && count > rule.max);
}

function isKept(rule: UploadRule, { name, mime, size, image }: CheckedFile): boolean {
  switch (rule.rule) {
    case "size":
      return isWithin(rule, size / 1024);
    case "width":
    case "height":
      return !image || isWithin(rule, image[rule.rule]);
    case "orientation":
      return !image || rule.any.includes(orientationOf(image));
    case "aspectratio":
      return !image || rule.any.some((ratio) => isRatio(ratio, image));
    case "filetype":
      return rule.any.some((wanted) => isType(wanted, mime, name));
    case "filename":
      return rule.any.some((wanted) => isLike(wanted, name));
    default:
      return true;
  }
}

function isWithin({ min, max }: { min: number | undefined; max: number | undefined }, value: number): boolean {
  return !(min !== undefined && value < min) && !(max !== undefined && value > max);
}

function orientationOf({ width, height }: { width: number; height: number }): string {
  return width === height ? "square" : width > height ? "landscape" : "portrait";
}

function isRatio(text: string, { width, height }: { width: number; height: number }): boolean {
  const [across = 0, down = 0] = text.split(":").map(Number);
  return !(across > 0 && down > 0) || Math.abs((width * down) / (height * across) - 1) <= ratioTolerance;
}

/** `image/png`, `image/*` or `.png`. */
function isType(wanted: string, mime: string, name: string): boolean {
  const text = wanted.toLowerCase();
  if (text.startsWith(".")) return name.toLowerCase().endsWith(text);
  if (mime === "") return true;
  return text.endsWith("/*") ? mime.startsWith(text.slice(0, -1)) : mime === text;
}

/** `*` matches anything. */
function isLike(wanted: string, name: string): boolean {
  const text = name.toLowerCase();
  const [first = "", ...parts] = wanted.toLowerCase().split("*");
  const last = parts.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** One text, or a list of which one must fit. */
function textsOf(wanted: Json | undefined): string[] {
  return [wanted].flat().filter((text): text is string => typeof text === "string" && text !== "");
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
