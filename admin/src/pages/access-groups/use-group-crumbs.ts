// The way back from the page of a group.

import type { Crumb } from "#shell/Page.tsx";
import { accessGroupsWords } from "#words/access-groups.ts";
import { useWords } from "#words/language.ts";

export function useGroupCrumbs(): Crumb[] {
  const words = useWords(accessGroupsWords);
  return [{ label: words.manage }, { label: words.title, to: "/admin/utils/access-groups" }];
}
