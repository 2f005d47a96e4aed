import { trash } from "./en/trash.ts";
import { defineWords } from "./language.ts";

export const trashWords = defineWords(trash, { de: () => import("./de/trash.ts").then((m) => m.trash) });
