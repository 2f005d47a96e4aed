// The object that a mail is about while it is looked at or sent. It is in the address, so that a link shows the same.

import type { JsonObject } from "@contract/json.ts";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Search } from "#shell/paths.ts";
import { useSearchChange } from "./open-dialog.ts";

export interface About {
  collection: string;
  /** Empty: none is chosen. */
  object: string;
}

/** `fallback`: the collection that the mail is meant for. */
export function useAbout(fallback: string): { about: About; setAbout: (about: About) => void } {
  const search = useSearch({ strict: false }) as Search;
  const change = useSearchChange();
  const [collection = "", object = ""] = (search.about ?? "").split("/");
  const setAbout = (next: About) =>
    change({ about: next.collection === "" ? undefined : `${next.collection}/${next.object}` });
  return { about: { collection: collection || fallback, object }, setAbout };
}

/** As requests take it. */
export function bodyOf({ collection, object }: About): JsonObject {
  return collection === "" || object === "" ? {} : { collection, object };
}

export interface FoundTarget {
  value: string;
  label: string;
  detail: string;
}

/** Objects of the collection that match, the first twenty. */
export function useTargets(collection: string, text: string) {
  return useQuery({
    queryKey: ["objects", collection, "targets", text],
    queryFn: async ({ signal }): Promise<FoundTarget[]> => {
      const query = { limit: 20, ...(text.trim() !== "" && { search: text.trim() }) };
      const objects = await askData<JsonObject[]>(routes.list, { path: { collection }, query, signal });
      return objects.map((object) => ({ value: String(object.id), label: titleOf(object), detail: String(object.id) }));
    },
    enabled: collection !== "",
    staleTime: 15_000,
  });
}

function titleOf(object: JsonObject): string {
  const named = ["title", "name", "label", "subject", "email"].map((property) => object[property]);
  return named.find((value): value is string => typeof value === "string" && value.trim() !== "") ?? String(object.id);
}
