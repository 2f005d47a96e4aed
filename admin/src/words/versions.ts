import { versions } from "./en/versions.ts";
import { defineWords } from "./language.ts";

export const versionWords = defineWords(versions, { de: () => import("./de/versions.ts").then((m) => m.versions) });
