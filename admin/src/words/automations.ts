import { automations } from "./en/automations.ts";
import { defineWords } from "./language.ts";

export const automationsWords = defineWords(automations, {
  de: () => import("./de/automations.ts").then((words) => words.automations),
});
