import { siteSettings } from "./en/site-settings.ts";
import { defineWords } from "./language.ts";

export const siteSettingsWords = defineWords(siteSettings, {
  de: () => import("./de/site-settings.ts").then((m) => m.siteSettings),
});
