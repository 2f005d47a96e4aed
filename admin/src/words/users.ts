import { users } from "./en/users.ts";
import { defineWords } from "./language.ts";

export const usersWords = defineWords(users, { de: () => import("./de/users.ts").then((words) => words.users) });
