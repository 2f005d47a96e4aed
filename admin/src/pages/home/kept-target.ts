// The page on which kept changes go on. Pure.

import type { Place } from "#form/kept.ts";
import { ownPages } from "#pages/collections/own-pages.ts";
import type { Target } from "#shell/links.tsx";
import type { AdminPath } from "#shell/paths.ts";

/** What is no object of a collection keeps its changes under a name of its own. */
const own: Record<string, { list: string; one: string; param: string }> = {
  templates: { list: "/admin/templates", one: "/admin/templates/$", param: "_splat" },
  "-schemas": { list: "/admin/schemas", one: "/admin/schemas/$id", param: "id" },
  "-access-groups": { list: "/admin/utils/access-groups", one: "/admin/utils/access-groups/$id", param: "id" },
  "-webhooks": { list: "/admin/webhooks", one: "/admin/webhooks/$id", param: "id" },
  "-settings": { list: "/admin/settings", one: "/admin/settings/$section", param: "section" },
};
/** In the place of an id: the settings of a collection. */
const settingsOf = "-settings";

/** Names under which changes are kept, beside the collections. */
export const keptPlaces = [...Object.keys(own), ...Object.keys(ownPages)];

export function targetOf({ collection, id }: Omit<Place, "user">): Target {
  const isNew = id === "-new";
  const { [collection]: listed } = ownPages;
  const pages = own[collection] ?? (listed && { list: listed, one: `${listed}/$id`, param: "id" });
  if (pages)
    return isNew
      ? { to: `${pages.list}/-new` as AdminPath }
      : { to: pages.one as AdminPath, params: { [pages.param]: id } };
  const of = "/admin/collections/$collection";
  if (isNew || id === settingsOf) return { to: `${of}/${id}`, params: { collection } };
  return { to: `${of}/$id`, params: { collection, id } };
}
