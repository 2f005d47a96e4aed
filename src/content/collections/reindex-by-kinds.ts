// When an extension brings other field kinds or schemas, collections that use them are indexed again.

import type { App } from "#context.ts";
import { addedKinds } from "#schemas/added-kinds.ts";
import { addedSchemas } from "#schemas/added-schemas.ts";
import { followKinds } from "./follow-kinds.ts";
import { resumeReindex } from "./reindex.ts";

/** In the server that writes. Returns a function that ends it. */
export function reindexByKinds(app: App): () => void {
  const { storage, log } = app;
  let known = addedKinds(storage);
  let schemas = addedSchemas(storage);
  const look = async () => {
    await followKinds(app);
    if (addedKinds(storage) === known && addedSchemas(storage) === schemas) return;
    known = addedKinds(storage);
    schemas = addedSchemas(storage);
    resumeReindex(app);
  };
  return storage.watch("extensions", () => {
    look().catch((error) => log.warn({ err: error }, "field kinds of extensions could not be read"));
  });
}
