// Which relations lead to a collection, of all collections and for every caller. Read again when schemas or collections change.

import { system } from "#access/actor.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import { listOpenCollections } from "#content/collections/collection-cache.ts";
import type { Context } from "#context.ts";
import { type Relation, relationsOf } from "#schemas/relations.ts";
import type { Storage } from "#storage/port.ts";

export interface Incoming {
  collection: Collection;
  relation: Relation;
}

interface Kept {
  stamp: string;
  byTarget: ReadonlyMap<string, readonly Incoming[]>;
}

const kept = perInstance((_storage: Storage): Kept => ({ stamp: "", byTarget: new Map() }));

/** In order of collection. */
export async function listIncoming(ctx: Context, target: string): Promise<readonly Incoming[]> {
  const { storage, schemaFiles } = ctx;
  const known = kept(storage);
  const stamp = `${storage.version("collections")} ${storage.version("schemas")} ${schemaFiles.version}`;
  if (known.stamp !== stamp) {
    const collections = await listOpenCollections({ ...ctx, actor: system, surface: undefined }, "read");
    const all = collections.flatMap((collection) =>
      relationsOf(collection.schema).map((relation) => ({ collection, relation })),
    );
    known.byTarget = Map.groupBy(all, ({ relation }) => relation.target);
    known.stamp = stamp;
  }
  return known.byTarget.get(target) ?? [];
}
