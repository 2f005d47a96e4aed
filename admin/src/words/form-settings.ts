import { formSettings } from "./en/form-settings.ts";
import { defineWords } from "./language.ts";

export const formSettingsWords = defineWords(formSettings, {
  de: () => import("./de/form-settings.ts").then((words) => words.formSettings),
});
