// Shows a document that was stored under a different revision of its schema.
// Lenient: nothing is refused; values that no longer fit are hidden, new properties have their default.

import type { Json, JsonObject } from "#contract/json.ts";
import { buildProperty, buildShape } from "./fields/shape.ts";
import type { HtmlRules } from "./html/html.ts";
import type { FieldWrite, FlatSchema, Property } from "./types.ts";
import { renewAddresses } from "./values/former-places.ts";

export interface Presentation {
  created: string;
  modified: string;
  /** Texts are cleaned again: former code may be shown on a page now. */
  htmlclean: HtmlRules;
}

export function presentDocument(schema: FlatSchema, stored: JsonObject, how: Presentation): JsonObject {
  const { created, modified } = how;
  const built = buildShape(schema, stored, { write: lenient(how), prefix: "" });
  renewAddresses(schema, built);
  return { id: stored.id ?? "", ...built, created, modified };
}

/** One value, as a property would show it. */
export function presentValue(
  property: Property,
  value: Json | undefined,
  { hasDefault, ...how }: Presentation & { hasDefault: boolean },
): Json | undefined {
  const { default: _, ...definition } = property.definition;
  const shown = hasDefault ? property : { ...property, definition };
  return buildProperty(shown, value === undefined ? {} : { [property.name]: value }, {
    write: lenient(how),
    prefix: "",
  });
}

function lenient({ created, modified, htmlclean }: Presentation): FieldWrite {
  return {
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
}
