import { shell } from "./en/shell.ts";
import { defineWords } from "./language.ts";

export const shellWords = defineWords(shell, { de: () => import("./de/shell.ts").then((m) => m.shell) });
