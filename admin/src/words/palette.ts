import { palette } from "./en/palette.ts";
import { defineWords } from "./language.ts";

export const paletteWords = defineWords(palette, { de: () => import("./de/palette.ts").then((m) => m.palette) });
