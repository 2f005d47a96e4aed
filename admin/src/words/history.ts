import { history } from "./en/history.ts";
import { defineWords } from "./language.ts";

export const historyWords = defineWords(history, { de: () => import("./de/history.ts").then((m) => m.history) });
