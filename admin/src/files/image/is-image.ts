// Whether a value is an image. Small: every form has it. Pure.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";

/** As `contract/files.ts` says, as far as it is there. */
export type ImageValue = JsonObject & { name: string };

export function isImage(value: unknown): value is ImageValue {
  const { name } = isJsonObject(value as Json) ? (value as JsonObject) : {};
  return typeof name === "string" && name !== "";
}

export function imagesOf(value: unknown): ImageValue[] {
  return Array.isArray(value) ? value.filter(isImage) : [];
}
