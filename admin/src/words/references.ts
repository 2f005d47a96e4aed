import { references } from "./en/references.ts";
import { defineWords } from "./language.ts";

export const referencesWords = defineWords(references, {
  de: () => import("./de/references.ts").then((m) => m.references),
});
