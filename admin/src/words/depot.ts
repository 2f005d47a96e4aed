import { depot } from "./en/depot.ts";
import { defineWords } from "./language.ts";

export const depotWords = defineWords(depot, { de: () => import("./de/depot.ts").then((m) => m.depot) });
