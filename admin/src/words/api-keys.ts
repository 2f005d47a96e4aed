import { apiKeys } from "./en/api-keys.ts";
import { defineWords } from "./language.ts";

export const apiKeysWords = defineWords(apiKeys);
