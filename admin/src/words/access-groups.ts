import { accessGroups } from "./en/access-groups.ts";
import { defineWords } from "./language.ts";

export const accessGroupsWords = defineWords(accessGroups);
