import { richtext } from "./en/richtext.ts";
import { defineWords } from "./language.ts";

export const richtextWords = defineWords(richtext, { de: () => import("./de/richtext.ts").then((m) => m.richtext) });
