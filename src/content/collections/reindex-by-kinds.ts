// When an extension brings other field kinds, collections that use them are indexed again.

import type { App } from "#context.ts";
import { addedKinds } from "#schemas/added-kinds.ts";
import { followKinds } from "./follow-kinds.ts";
import { resumeReindex } from "./reindex.ts";

/** In the server that writes. Returns a function that ends it. */
export function reindexByKinds(app: App): () => void {
  const { storage, log } = app;
  let known = addedKinds(storage);
  const look = async () => {
    await followKinds(app);
    if (addedKinds(storage) === known) return;
    known = addedKinds(storage);
    resumeReindex(app);
  };
  return storage.watch("extensions", () => {
    look().catch((error) => log.warn({ err: error }, "field kinds of extensions could not be read"));
  });
}
