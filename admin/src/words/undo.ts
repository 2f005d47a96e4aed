import { undo } from "./en/undo.ts";
import { defineWords } from "./language.ts";

export const undoWords = defineWords(undo, { de: () => import("./de/undo.ts").then((m) => m.undo) });
