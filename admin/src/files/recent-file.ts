// Whether a value of files has one that has just arrived. Pure.

import { isJsonObject, type Json } from "@contract/json.ts";

/** Clocks and dates of answers are exact to the second. */
const slack = 2_000;

/** The name may have got a number, and another extension by its content. */
export function findRecent(value: Json | undefined, name: string, since: number): boolean {
  if (Array.isArray(value)) return value.some((item) => findRecent(item, name, since));
  if (!isJsonObject(value)) return false;
  const { uploadDate, name: stored } = value;
  const isDated = typeof uploadDate === "string" && Date.parse(uploadDate) >= since - slack;
  if (isDated && typeof stored === "string" && isNamedAfter(stored, name)) return true;
  return Object.values(value).some((inner) => findRecent(inner, name, since));
}

function isNamedAfter(stored: string, sent: string): boolean {
  const stem = (name: string) =>
    name
      .normalize("NFC")
      .replace(/\.[^.]*$/, "")
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
      .toLowerCase();
  const [kept, given] = [stem(stored), stem(sent)];
  return kept === given || kept.replace(/ \d+$/, "") === given;
}
