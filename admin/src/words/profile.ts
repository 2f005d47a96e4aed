import { profile } from "./en/profile.ts";
import { defineWords } from "./language.ts";

export const profileWords = defineWords(profile, { de: () => import("./de/profile.ts").then((m) => m.profile) });
