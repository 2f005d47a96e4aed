// A deck: items in order. As a list whose items are edited in a dialog, or as a table whose cells are edited in place.

import { lazy } from "react";
import { type FieldKind, type FieldReadProps, type FieldValue, isNothing } from "#fields/field-kind.ts";
import { isItemList, itemKey, itemLabel, itemSchemaOf, itemsIn } from "#fields/items.ts";
import type { FieldProperty } from "#fields/property.ts";
import { deckWords } from "#words/decks.ts";
import css from "./deck.module.css";

const DeckInput = lazy(() => import("./DeckInput.tsx").then((part) => ({ default: part.DeckInput })));
const DeckTableInput = lazy(() => import("./DeckTableInput.tsx").then((part) => ({ default: part.DeckTableInput })));

function Read({ path, property, value, context }: FieldReadProps) {
  const schema = itemSchemaOf(property, context.items);
  const { inner } = context;
  return (
    <ul className={css.read}>
      {itemsIn(value).map((item, at) => {
        const key = itemKey(item, at);
        const label = itemLabel(property, item) || deckWords.en.itemNumber(at + 1);
        return (
          <li key={key}>
            {schema && inner ? (
              <details>
                <summary className={css.summary}>{label}</summary>
                <div className={css.card}>
                  <inner.Fields itemSchema={schema.id} path={`${path}.${key}`} />
                </div>
              </details>
            ) : (
              label
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** A line for each item. */
function text(value: FieldValue, property: FieldProperty): string {
  return itemsIn(value)
    .map((item, at) => itemLabel(property, item) || deckWords.en.itemNumber(at + 1))
    .join("\n");
}

const shared = {
  Read,
  text,
  isEmpty: (value: FieldValue) => isNothing(value) || (Array.isArray(value) && value.length === 0),
  accepts: isItemList,
};

export const deckField: FieldKind = { kinds: ["deck"], Input: DeckInput, ...shared };
export const deckTableField: FieldKind = { kinds: ["deckTable"], Input: DeckTableInput, ...shared };
