import { apiKeys } from "./en/api-keys.ts";
import { defineWords } from "./language.ts";

export const apiKeysWords = defineWords(apiKeys, {
  de: () => import("./de/api-keys.ts").then((words) => words.apiKeys),
});
