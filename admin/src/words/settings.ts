import { settings } from "./en/settings.ts";
import { defineWords } from "./language.ts";

export const settingsWords = defineWords(settings);
