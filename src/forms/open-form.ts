// Finds a form of the website. A form that is switched off, and one of a site that is switched off, is not there.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { readForms } from "#content/collections/form-settings.ts";
import { catchUp } from "#content/read-barrier.ts";
import type { Context } from "#context.ts";
import type { FormDefinition } from "#contract/forms.ts";

export interface OpenForm {
  /** `{collection}/{name}`. */
  id: string;
  name: string;
  collection: Collection;
  definition: FormDefinition;
}

export async function openForm(ctx: Context, collectionId: string, name: string): Promise<OpenForm> {
  await catchUp(ctx);
  const collection = ctx.settings.get("site.enabled") ? await findCollection(ctx, collectionId) : undefined;
  const definition = collection && readForms(collection.settings).get(name);
  if (!collection || !definition?.enabled) fail("not-found", "There is no such form.");
  return { id: `${collectionId}/${name}`, name, collection, definition };
}
