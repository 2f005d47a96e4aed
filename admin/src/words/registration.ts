import { registration } from "./en/registration.ts";
import { defineWords } from "./language.ts";

export const registrationWords = defineWords(registration, {
  de: () => import("./de/registration.ts").then((m) => m.registration),
});
