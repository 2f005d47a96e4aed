import { jumpstart } from "./en/jumpstart.ts";
import { defineWords } from "./language.ts";

export const jumpstartWords = defineWords(jumpstart, {
  de: () => import("./de/jumpstart.ts").then((area) => area.jumpstart),
});
