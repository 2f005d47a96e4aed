import { preview } from "./en/preview.ts";
import { defineWords } from "./language.ts";

export const previewWords = defineWords(preview, { de: () => import("./de/preview.ts").then((m) => m.preview) });
