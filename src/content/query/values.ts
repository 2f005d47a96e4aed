// The values that objects of a collection have in one property, for a choice of them. Drafts and rights are those of lists.

import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedEntries } from "#base/caches/versioned-cache.ts";
import { foldCase } from "#base/text.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { Context } from "#context.ts";
import type { Storage } from "#storage/port.ts";
import { namesOf } from "#storage/query/operands.ts";
import { askValues, type CountedValue } from "#storage/query/values.ts";
import { readListSelection } from "./filters.ts";
import { sourceOf } from "./lists.ts";
import { findOperand } from "./operands.ts";
import { refuse } from "./parameters.ts";

const maxSearch = 200;
const keptBytes = 2 * 1024 * 1024;

const kept = createVersionedEntries<Storage, string, CountedValue[]>(
  (storage, collection) => storage.version(`objects:${collection}`),
  { kind: cacheKinds.lists, capacity: keptBytes, unit: 1 },
  (values) => values.reduce((size, { value }) => size + 50 + 2 * value.length, 100),
);

export interface WantedValues {
  collection: string;
  property: string;
  search: string;
  limit: number;
}

export async function listValues(ctx: Context, wanted: WantedValues): Promise<CountedValue[]> {
  const { storage, caller } = ctx;
  const { property, limit } = wanted;
  const collection = await openCollection(ctx, "read", wanted.collection);
  const source = sourceOf(ctx, collection);
  const operand = findOperand({ schema: source.schema, parameter: "property" }, property);
  if (operand?.source !== "index")
    refuse("property", `The property "${property}" is not indexed, or has no plain values.`);
  if (wanted.search.length > maxSearch) refuse("search", `search may have at most ${maxSearch} characters.`);
  const search = foldCase(wanted.search.trim());
  const selection = { ...readListSelection({}, source), sort: [] };
  const key = JSON.stringify([collection.id, collection.schema.rev, source.hideDrafts, property, search, limit]);
  return (
    kept.find(storage, collection.id, key) ??
    kept.load(storage, collection.id, key, () =>
      askValues(storage, { selection, names: namesOf(operand), search, limit, caller }),
    )
  );
}
