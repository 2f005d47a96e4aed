import { site } from "./en/site.ts";
import { defineWords } from "./language.ts";

export const siteWords = defineWords(site, { de: () => import("./de/site.ts").then((words) => words.site) });
