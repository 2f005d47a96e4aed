import { code } from "./en/code.ts";
import { defineWords } from "./language.ts";

export const codeWords = defineWords(code, { de: () => import("./de/code.ts").then((m) => m.code) });
