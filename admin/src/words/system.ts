import { system } from "./en/system.ts";
import { defineWords } from "./language.ts";

export const systemWords = defineWords(system, { de: () => import("./de/system.ts").then((words) => words.system) });
