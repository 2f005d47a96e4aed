import { richtext } from "./en/richtext.ts";
import { defineWords } from "./language.ts";

export const richtextWords = defineWords(richtext);
