import { transfer } from "./en/transfer.ts";
import { defineWords } from "./language.ts";

export const transferWords = defineWords(transfer, { de: () => import("./de/transfer.ts").then((m) => m.transfer) });
