import { accessGroups } from "./en/access-groups.ts";
import { defineWords } from "./language.ts";

export const accessGroupsWords = defineWords(accessGroups, {
  de: () => import("./de/access-groups.ts").then((words) => words.accessGroups),
});
