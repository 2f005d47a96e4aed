import { templates } from "./en/templates.ts";
import { defineWords } from "./language.ts";

export const templateWords = defineWords(templates);
