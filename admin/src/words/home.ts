import { home } from "./en/home.ts";
import { defineWords } from "./language.ts";

export const homeWords = defineWords(home, { de: () => import("./de/home.ts").then((m) => m.home) });
