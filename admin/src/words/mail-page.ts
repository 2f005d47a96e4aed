import { mailPage } from "./en/mail-page.ts";
import { defineWords } from "./language.ts";

export const mailPageWords = defineWords(mailPage, { de: () => import("./de/mail-page.ts").then((m) => m.mailPage) });
