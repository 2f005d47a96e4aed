import { preview } from "./en/preview.ts";
import { defineWords } from "./language.ts";

export const previewWords = defineWords(preview);
