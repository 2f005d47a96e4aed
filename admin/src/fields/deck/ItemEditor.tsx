// The dialog of one item of a deck, or of a new one.

import type { SchemaRecord } from "@contract/schemas.ts";
import { useState } from "react";
import type { FieldInputProps } from "#fields/field-kind.ts";
import { itemKey } from "#fields/items.ts";
import { deckWords } from "#words/decks.ts";
import { useWords } from "#words/language.ts";
import type { Deck } from "./use-deck.ts";

export interface Opened {
  /** Of the item; undefined for a new one. */
  key: string | undefined;
  /** The field to begin at. */
  at?: string | undefined;
}

interface Props extends FieldInputProps {
  schema: SchemaRecord;
  deck: Deck;
  opened: Opened;
  onOpen: (opened: Opened | undefined) => void;
}

const sizes = ["small", "medium", "large"] as const;

export function ItemEditor({ path, property, schema, context, deck, opened, onOpen }: Props) {
  const words = useWords(deckWords);
  // A new item is made once for each opening.
  const [made] = useState(deck.make);
  const at = deck.items.findIndex((item, index) => itemKey(item, index) === opened.key);
  const item = opened.key === undefined ? made : deck.items[at];
  if (!item || !context.inner) return null;
  const isNew = opened.key === undefined;
  const key = itemKey(item, isNew ? deck.items.length : at);
  const goTo = (next: number) => {
    const neighbour = deck.items[next];
    return neighbour && !isNew ? () => onOpen({ key: itemKey(neighbour, next) }) : undefined;
  };
  const { modalSize } = property.settings;
  return (
    <context.inner.Dialog
      key={key}
      itemSchema={schema.id}
      path={`${path}.${key}`}
      title={isNew ? words.newItem : (deck.labels[at] ?? "")}
      value={item}
      isNew={isNew}
      at={opened.at}
      size={sizes.find((size) => size === modalSize)}
      onApply={(next) => {
        if (isNew) deck.add(next);
        else deck.replace(at, next);
      }}
      onClose={() => onOpen(undefined)}
      onPrevious={goTo(at - 1)}
      onNext={goTo(at + 1)}
    />
  );
}
