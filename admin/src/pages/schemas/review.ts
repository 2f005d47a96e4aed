// What of a plan is to be looked at before a schema is saved, by collection. Pure.

import type { SchemaPlan } from "@contract/schemas.ts";

export function isWorthReview({ collections, hasOthers, ...plan }: SchemaPlan): boolean {
  const { removed, renamed, retyped, newlyRequired, index, mentions } = plan;
  if (mentions.length > 0) return true;
  if (collections.length === 0 && !hasOthers) return false;
  const isIndexed = index.objects > 0 && index.added.length + index.removed.length > 0;
  return removed.length + renamed.length + retyped.length + newlyRequired.length > 0 || isIndexed;
}

export type ReviewLine =
  | { kind: "leaves"; property: string; filled: number }
  | { kind: "renamed"; from: string; to: string; filled: number }
  | { kind: "retyped"; property: string; from: string; to: string; unfit: number }
  | { kind: "newlyRequired"; property: string; lacking: number };

export interface CollectionReview {
  id: string;
  objects: number;
  lines: ReviewLine[];
}

/** Collections in which something happens to values; each number is that of the collection. */
export function reviewOf(plan: SchemaPlan): CollectionReview[] {
  return plan.collections.map(({ id, objects }) => ({
    id,
    objects,
    lines: [
      ...plan.removed.map(
        ({ property, collections }): ReviewLine => ({ kind: "leaves", property, filled: collections[id] ?? 0 }),
      ),
      ...plan.renamed.map(
        ({ from, to, collections }): ReviewLine => ({ kind: "renamed", from, to, filled: collections[id] ?? 0 }),
      ),
      ...plan.retyped.map(
        ({ property, from, to, collections }): ReviewLine => ({
          kind: "retyped",
          property,
          from,
          to,
          unfit: collections[id] ?? 0,
        }),
      ),
      ...plan.newlyRequired.map(
        ({ property, collections }): ReviewLine => ({
          kind: "newlyRequired",
          property,
          lacking: collections[id] ?? 0,
        }),
      ),
    ],
  }));
}
