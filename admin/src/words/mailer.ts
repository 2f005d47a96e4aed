import { mailer } from "./en/mailer.ts";
import { defineWords } from "./language.ts";

export const mailerWords = defineWords(mailer, { de: () => import("./de/mailer.ts").then((m) => m.mailer) });
