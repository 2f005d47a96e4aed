import { palette } from "./en/palette.ts";
import { defineWords } from "./language.ts";

export const paletteWords = defineWords(palette);
