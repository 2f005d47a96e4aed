import { livePreview } from "./en/live-preview.ts";
import { defineWords } from "./language.ts";

export const livePreviewWords = defineWords(livePreview, {
  de: () => import("./de/live-preview.ts").then((m) => m.livePreview),
});
