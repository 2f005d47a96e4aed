// Searching in many collections at once, for people and for agents.

import { inParallel } from "#base/in-parallel.ts";
import type { Collection } from "#content/collections/collection.ts";

/** Collections that one search asks at a time: fewer than one caller may have waiting. */
const atOnce = 2;

/** Scores of different collections say nothing about each other: the best of each come first, then the second best. */
export async function searchEach<T>(
  collections: readonly Collection[],
  find: (collection: Collection) => Promise<T[]>,
): Promise<T[]> {
  const found = new Map<Collection, T[]>();
  await inParallel(collections, atOnce, async (collection) => {
    found.set(collection, await find(collection));
  });
  const ranked: T[][] = [];
  for (const collection of collections) {
    for (const [rank, item] of (found.get(collection) ?? []).entries()) {
      ranked[rank] ??= [];
      ranked[rank].push(item);
    }
  }
  return ranked.flat();
}

/** The query as an alternative of all its words; undefined when it is one word, or written with operators. */
export function anyOf(query: string): string | undefined {
  const words = query.trim().split(/\s+/);
  if (words.length < 2 || query.includes('"') || words.some((word) => /^(or|and)$/i.test(word))) return undefined;
  return words.slice(0, 32).join(" or ");
}
