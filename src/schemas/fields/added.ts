// A field kind of an extension: its base type, with its own words for search and its own JSON Schema.

import { PatternTooExpensive } from "#base/pattern.ts";
import type { Json } from "#contract/json.ts";
import { type AddedKind, partOf } from "#schemas/added-kinds.ts";
import { maxSearchedText } from "#schemas/bounds.ts";
import { jsonCheck } from "#schemas/json-schema.ts";
import type { FieldKind, Property } from "#schemas/types.ts";
import type { KeywordFailure } from "./keywords.ts";

/** The base kind, with the searched parts of the added one. */
export function withParts(base: FieldKind, { text }: AddedKind): FieldKind {
  if (text.length === 0) return base;
  return { ...base, text: (value) => wordsOf(text.map((path) => partOf(value, path) ?? null)) };
}

function wordsOf(parts: readonly Json[]): string {
  const words: string[] = [];
  let length = 0;
  const pending = [...parts].reverse();
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (length > maxSearchedText) break;
    if (typeof part === "string" || typeof part === "number") {
      words.push(String(part));
      length += String(part).length + 1;
    } else if (Array.isArray(part)) pending.push(...[...part].reverse());
  }
  return words.join(" ");
}

/** What the schema of the kind refuses. An empty value is judged by `required` alone. */
export function checkAdded(value: Json, { added, kind }: Property): KeywordFailure[] {
  if (added?.schema === undefined || kind.isEmpty(value)) return [];
  try {
    const details = jsonCheck(added.schema)(value);
    return Object.entries(details).flatMap(([path, messages]) => messages.map((message) => ({ path, message })));
  } catch (error) {
    if (error instanceof PatternTooExpensive) return [{ path: "", message: error.message }];
    return [{ path: "", message: `The schema of the field kind ${added.name} cannot be used` }];
  }
}
