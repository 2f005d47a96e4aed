import { collections } from "./en/collections.ts";
import { defineWords } from "./language.ts";

export const collectionsWords = defineWords(collections, {
  de: () => import("./de/collections.ts").then((m) => m.collections),
});
