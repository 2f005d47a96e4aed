import { logs } from "./en/logs.ts";
import { defineWords } from "./language.ts";

export const logsWords = defineWords(logs);
