import { form } from "./en/form.ts";
import { defineWords } from "./language.ts";

export const formWords = defineWords(form);
