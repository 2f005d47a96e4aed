import { signIn } from "./en/sign-in.ts";
import { defineWords } from "./language.ts";

export const signInWords = defineWords(signIn, { de: () => import("./de/sign-in.ts").then((m) => m.signIn) });
