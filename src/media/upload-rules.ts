// The rules that a schema sets for uploads (`settings.rules`): size, dimensions, number, form, type and name.
// An invalid rule is ignored. Pure.

import { fail } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

export interface CheckedFile {
  name: string;
  mime: string;
  /** In bytes. */
  size: number;
  image?: { width: number; height: number } | undefined;
}

/** Tolerance of an image's aspect ratio. */
const ratioTolerance = 0.01;

export function checkRules(settings: JsonObject, { name, mime, size, image }: CheckedFile): void {
  const { rules } = settings;
  if (!isJsonObject(rules)) return;
  checkRange("size", rules.size, size / 1024, "KB");
  if (image) {
    checkRange("width", rules.width, image.width, "pixels");
    checkRange("height", rules.height, image.height, "pixels");
    checkOrientation(rules.orientation, image);
    checkRatio(rules.aspectratio, image);
  }
  checkAny("filetype", rules.filetype, (wanted) => isType(wanted, mime, name));
  checkAny("filename", rules.filename, (wanted) => isLike(wanted, name));
}

/** Number of files in a gallery or depot, with the new one. */
export function checkCount({ rules }: JsonObject, count: number): void {
  if (isJsonObject(rules)) checkRange("count", rules.count, count, "files", { isMostOnly: true });
}

function checkRange(
  rule: string,
  range: Json | undefined,
  value: number,
  unit: string,
  { isMostOnly = false } = {},
): void {
  if (!isJsonObject(range)) return;
  const { min, max } = range;
  if (typeof min === "number" && value < min && !isMostOnly) refuse(rule, `at least ${min} ${unit}`);
  if (typeof max === "number" && value > max) refuse(rule, `at most ${max} ${unit}`);
}

function checkOrientation(wanted: Json | undefined, { width, height }: { width: number; height: number }): void {
  const orientation = width === height ? "square" : width > height ? "landscape" : "portrait";
  checkAny("orientation", wanted, (word) => word === orientation);
}

function checkRatio(wanted: Json | undefined, { width, height }: { width: number; height: number }): void {
  checkAny("aspectratio", wanted, (text) => {
    const [across = 0, down = 0] = text.split(":").map(Number);
    return !(across > 0 && down > 0) || Math.abs((width * down) / (height * across) - 1) <= ratioTolerance;
  });
}

/** One text, or a list of which one must fit. */
function checkAny(rule: string, wanted: Json | undefined, fits: (wanted: string) => boolean): void {
  const texts = [wanted].flat().filter((text): text is string => typeof text === "string" && text !== "");
  if (texts.length > 0 && !texts.some(fits)) refuse(rule, texts.join(" or "));
}

/** `image/png`, `image/*` or `.png`. */
function isType(wanted: string, mime: string, name: string): boolean {
  const text = wanted.toLowerCase();
  if (text.startsWith(".")) return name.toLowerCase().endsWith(text);
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

function refuse(rule: string, expected: string): never {
  fail("invalid", `The file breaks the rule "${rule}": ${expected}.`);
}
