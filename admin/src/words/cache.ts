import { cache } from "./en/cache.ts";
import { defineWords } from "./language.ts";

export const cacheWords = defineWords(cache, { de: () => import("./de/cache.ts").then((words) => words.cache) });
