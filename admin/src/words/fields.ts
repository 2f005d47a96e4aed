import { fields } from "./en/fields.ts";
import { defineWords } from "./language.ts";

export const fieldWords = defineWords(fields, { de: () => import("./de/fields.ts").then((m) => m.fields) });
