import { schemas } from "./en/schemas.ts";
import { defineWords } from "./language.ts";

export const schemasWords = defineWords(schemas, {
  de: () => import("./de/schemas.ts").then((words) => words.schemas),
});
