import { settingTexts } from "./en/setting-texts.ts";
import { defineWords } from "./language.ts";

export const settingTextWords = defineWords(settingTexts, {
  de: () => import("./de/setting-texts.ts").then((m) => m.settingTexts),
});
