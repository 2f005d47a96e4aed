import { grid } from "./en/grid.ts";
import { defineWords } from "./language.ts";

export const gridWords = defineWords(grid, { de: () => import("./de/grid.ts").then((m) => m.grid) });
