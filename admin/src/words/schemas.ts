import { schemas } from "./en/schemas.ts";
import { defineWords } from "./language.ts";

export const schemasWords = defineWords(schemas);
