import { oauth } from "./en/oauth.ts";
import { defineWords } from "./language.ts";

export const oauthWords = defineWords(oauth, { de: () => import("./de/oauth.ts").then((words) => words.oauth) });
