import { backups } from "./en/backups.ts";
import { defineWords } from "./language.ts";

export const backupsWords = defineWords(backups);
