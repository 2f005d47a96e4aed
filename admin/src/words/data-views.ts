import { dataViews } from "./en/data-views.ts";
import { defineWords } from "./language.ts";

export const dataViewWords = defineWords(dataViews, {
  de: () => import("./de/data-views.ts").then((m) => m.dataViews),
});
