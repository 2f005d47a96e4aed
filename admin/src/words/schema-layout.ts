import { schemaLayout } from "./en/schema-layout.ts";
import { defineWords } from "./language.ts";

export const schemaLayoutWords = defineWords(schemaLayout, {
  de: () => import("./de/schema-layout.ts").then((words) => words.schemaLayout),
});
