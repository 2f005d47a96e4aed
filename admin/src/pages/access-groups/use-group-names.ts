// The names of what a group grants, as they are shown.

import type { Option } from "@contract/admin.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useStart } from "#session/start.ts";
import { accessGroupsWords } from "#words/access-groups.ts";
import { useWords } from "#words/language.ts";
import type { Names, Resource, Thing } from "./group-rights.ts";

export interface GroupNames extends Names {
  /** What can be chosen, for each kind of thing that is chosen one by one. */
  items: Record<Resource, { value: string; label: string }[]>;
}

export function useGroupNames(): GroupNames {
  const words = useWords(accessGroupsWords);
  const { collections } = useStart();
  const schemas = useQuery({
    queryKey: ["schemas", "options"],
    queryFn: ({ signal }) =>
      askData<Option[]>(routes.options, { path: { source: "schemas" }, query: { limit: 1_000 }, signal }),
  }).data;
  return useMemo(() => {
    const named = collections.map(({ id, name }) => ({ value: id, label: name }));
    // Administrators alone reach these, whatever a group says.
    const open = named.filter(({ value }) => value !== "auth" && value !== "automations");
    const items = { collections: open, collectionsMeta: open, schemas: schemas ?? [] };
    const nameOf = (thing: Thing) => {
      if (thing.kind === "all") return words.all;
      if (thing.kind === "resource") return words.resources[thing.name];
      return thing.kind === "switch" ? words.switches[thing.name] : (words.utilities[thing.name] ?? thing.name);
    };
    return {
      items,
      operation: (operation) => words.operations[operation],
      thing: nameOf,
      right: words.right,
      item: (resource, id) => {
        const { label = id } = items[resource].find(({ value }) => value === id) ?? {};
        return words.reach(words.resources[resource], label);
      },
      allItems: (resource) => words.allOf[resource],
    };
  }, [words, collections, schemas]);
}
