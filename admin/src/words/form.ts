import { form } from "./en/form.ts";
import { defineWords } from "./language.ts";

export const formWords = defineWords(form, { de: () => import("./de/form.ts").then((m) => m.form) });
