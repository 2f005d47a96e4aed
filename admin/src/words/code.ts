import { code } from "./en/code.ts";
import { defineWords } from "./language.ts";

export const codeWords = defineWords(code);
