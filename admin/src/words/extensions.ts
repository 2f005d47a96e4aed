import { extensions } from "./en/extensions.ts";
import { defineWords } from "./language.ts";

export const extensionsWords = defineWords(extensions, {
  de: () => import("./de/extensions.ts").then((words) => words.extensions),
});
