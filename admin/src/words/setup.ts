import { setup } from "./en/setup.ts";
import { defineWords } from "./language.ts";

export const setupWords = defineWords(setup, { de: () => import("./de/setup.ts").then((m) => m.setup) });
