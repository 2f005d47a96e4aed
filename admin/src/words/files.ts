import { files } from "./en/files.ts";
import { defineWords } from "./language.ts";

export const fileWords = defineWords(files, { de: () => import("./de/files.ts").then((m) => m.files) });
