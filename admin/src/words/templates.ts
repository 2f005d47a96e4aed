import { templates } from "./en/templates.ts";
import { defineWords } from "./language.ts";

export const templateWords = defineWords(templates, { de: () => import("./de/templates.ts").then((m) => m.templates) });
