import { elements } from "./en/elements.ts";
import { defineWords } from "./language.ts";

export const elementWords = defineWords(elements, {
  de: () => import("./de/elements.ts").then((words) => words.elements),
});
