import { ui } from "./en/ui.ts";
import { defineWords } from "./language.ts";

export const uiWords = defineWords(ui, { de: () => import("./de/ui.ts").then((m) => m.ui) });
