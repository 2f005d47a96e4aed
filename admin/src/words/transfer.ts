import { transfer } from "./en/transfer.ts";
import { defineWords } from "./language.ts";

export const transferWords = defineWords(transfer);
