// The functions for the definition of a data view: read-only. Users and automations stay closed to it, so
// that authors of views cannot read data for administrators.

import { adminOnlyCollections } from "#access/permissions.ts";
import { type HostFunctions, readingHost } from "#automations/host.ts";
import { readParameters } from "#automations/host-parameters.ts";
import { fail } from "#base/errors.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { findViewData } from "#storage/tables/view-results.ts";
import { iterateDocuments } from "#transfer/export.ts";
import { viewsCollection } from "./load-views.ts";

/** Limit of one call's result, in characters. */
const maxText = 3_900_000;

export function viewHost(ctx: Context): HostFunctions {
  const host: HostFunctions = {
    ...readingHost({ ...ctx, closed: adminOnlyCollections }),
    "objects.all": (collection, params) => readAll(ctx, String(collection), params),
  };
  const guarded = Object.entries(host).map(([name, call]): [string, HostFunctions[string]] => [
    name,
    async (...args) => {
      const isObjects = name.startsWith("objects.") || name.startsWith("deck.");
      if (isObjects && adminOnlyCollections.has(String(args[0])))
        fail("forbidden", `A view cannot read the collection "${String(args[0])}".`);
      return call(...args);
    },
  ]);
  return { ...Object.fromEntries(guarded), "views.get": async (id) => readView(ctx, String(id)) };
}

/** All objects that match the filters, whole and in order of id. */
async function readAll(ctx: Context, collection: string, params: Json | undefined): Promise<Json> {
  const filters = readParameters("all", params);
  const found: string[] = [];
  let size = 0;
  for await (const texts of await iterateDocuments(ctx, collection, filters)) {
    for (const text of texts) size += text.length;
    if (size > maxText)
      fail("too-large", `"${collection}" is too large to be read at once: filter it, or read pages with list.`);
    found.push(...texts);
  }
  return JSON.parse(`[${found.join(",")}]`) as Json;
}

/** The last good result of another view that the author may read. */
async function readView(ctx: Context, id: string): Promise<Json> {
  await openCollection(ctx, "read", viewsCollection, id);
  const found = await findViewData(ctx.storage, id);
  return found ? (JSON.parse(found.data) as Json) : fail("not-found", `The view "${id}" has no result.`);
}
