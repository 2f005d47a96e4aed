// Queries over objects in memory, as far as tests of templates need them: `include` of one value, `sort` of one property.

import type { Collection } from "#content/collections/collection.ts";
import type { FoundObject, SiteReader } from "./reader.ts";

export function createKnownLists(objectsOf: (collection: Collection) => FoundObject[]): SiteReader["list"] {
  return async (collection, { params, limit, offset }) => {
    const { include = "", search = "", sort = "" } = params as Record<string, string>;
    const [name = "", value = ""] = include.split(":");
    const isIncluded = ({ document }: FoundObject) => {
      const found = document[name];
      return name === "" || (Array.isArray(found) ? found.includes(value) : String(found) === value);
    };
    const isFound = ({ document }: FoundObject) =>
      JSON.stringify(document).toLowerCase().includes(search.toLowerCase());
    const all = objectsOf(collection).filter((object) => isIncluded(object) && isFound(object));
    const key = sort.replace(/^-/, "") || "id";
    const direction = sort.startsWith("-") ? -1 : 1;
    all.sort((a, b) => (String(a.document[key]) < String(b.document[key]) ? -direction : direction));
    const objects = all.slice(offset, offset + limit);
    return {
      ...{ objects, hasMore: all.length > offset + limit },
      total: async () => all.length,
      ask: async () => objects.map(({ id, rev }) => ({ id, rev })),
    };
  };
}
