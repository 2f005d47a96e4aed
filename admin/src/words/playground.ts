import { playground } from "./en/playground.ts";
import { defineWords } from "./language.ts";

export const playgroundWords = defineWords(playground, {
  de: () => import("./de/playground.ts").then((m) => m.playground),
});
