import { depot } from "./en/depot.ts";
import { defineWords } from "./language.ts";

export const depotWords = defineWords(depot);
