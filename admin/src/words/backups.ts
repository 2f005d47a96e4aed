import { backups } from "./en/backups.ts";
import { defineWords } from "./language.ts";

export const backupsWords = defineWords(backups, { de: () => import("./de/backups.ts").then((area) => area.backups) });
