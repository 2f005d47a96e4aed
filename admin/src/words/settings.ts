import { settings } from "./en/settings.ts";
import { defineWords } from "./language.ts";

export const settingsWords = defineWords(settings, { de: () => import("./de/settings.ts").then((m) => m.settings) });
