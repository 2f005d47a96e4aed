import { decks } from "./en/decks.ts";
import { defineWords } from "./language.ts";

export const deckWords = defineWords(decks, { de: () => import("./de/decks.ts").then((m) => m.decks) });
