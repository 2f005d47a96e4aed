import { common } from "./en/common.ts";
import { defineWords } from "./language.ts";

export const commonWords = defineWords(common, { de: () => import("./de/common.ts").then((m) => m.common) });
