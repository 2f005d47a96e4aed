import { webhooks } from "./en/webhooks.ts";
import { defineWords } from "./language.ts";

export const webhookWords = defineWords(webhooks, { de: () => import("./de/webhooks.ts").then((m) => m.webhooks) });
