import { setup } from "./en/setup.ts";
import { defineWords } from "./language.ts";

export const setupWords = defineWords(setup);
