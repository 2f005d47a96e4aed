// Shows a document that was stored under a different revision of its schema.
// Lenient: nothing is refused; values that no longer fit are hidden, new properties have their default.

import type { JsonObject } from "#contract/json.ts";
import { buildShape } from "./fields/shape.ts";
import type { HtmlRules } from "./html/html.ts";
import type { FieldWrite, FlatSchema } from "./types.ts";

export interface Presentation {
  created: string;
  modified: string;
  /** Texts are cleaned again: former code may be shown on a page now. */
  htmlclean: HtmlRules;
}

export function presentDocument(schema: FlatSchema, stored: JsonObject, how: Presentation): JsonObject {
  const { created, modified, htmlclean } = how;
  const write: FieldWrite = {
    now: modified,
    created,
    modified,
    counter: 0,
    isTrusted: true,
    isLenient: true,
    htmlclean,
    markupBudget: Number.POSITIVE_INFINITY,
    lengthBudget: Number.POSITIVE_INFINITY,
    tagBudget: Number.POSITIVE_INFINITY,
    hashes: new Map(),
    stored: {},
    secrets: {},
    problems: [],
    files: undefined,
    changed: undefined,
  };
  return { id: stored.id ?? "", ...buildShape(schema, stored, { write, prefix: "" }), created, modified };
}
