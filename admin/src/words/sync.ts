import { sync } from "./en/sync.ts";
import { defineWords } from "./language.ts";

export const syncWords = defineWords(sync, { de: () => import("./de/sync.ts").then((area) => area.sync) });
