import { author } from "./en/authors.ts";
import { defineWords } from "./language.ts";

export const authorWords = defineWords(author, { de: () => import("./de/authors.ts").then((m) => m.author) });
