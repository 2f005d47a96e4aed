import { logs } from "./en/logs.ts";
import { defineWords } from "./language.ts";

export const logsWords = defineWords(logs, { de: () => import("./de/logs.ts").then((words) => words.logs) });
