import { playground } from "./en/playground.ts";
import { defineWords } from "./language.ts";

export const playgroundWords = defineWords(playground);
