// How many items there are, and may be, at the end of a deck's label.

import type { ReactNode } from "react";
import { deckWords } from "#words/decks.ts";
import { useWords } from "#words/language.ts";
import css from "./deck.module.css";
import type { Deck } from "./use-deck.ts";

export function DeckCount({ deck, extra }: { deck: Deck; extra: ReactNode }) {
  const words = useWords(deckWords);
  const { items, least, most } = deck;
  return (
    <span className={css.count}>
      <span>
        {most === undefined ? words.items(items.length) : words.itemsOf(items.length, most)}
        {items.length < least && ` · ${words.atLeast(least)}`}
      </span>
      {extra}
    </span>
  );
}
