// Ratings: the votes of each step, and their total and average.

import { isJsonObject, type Json } from "#contract/json.ts";
import { maxElements } from "#schemas/bounds.ts";
import type { FieldKind } from "#schemas/types.ts";
import { decodeJson, isWithin } from "./clean.ts";
import { report } from "./report.ts";

export const ratingKind: FieldKind = {
  type: "rating",
  rules: "none",
  isEmpty: () => false,
  isShaped: (value) => isJsonObject(value),
  coerce(value, field) {
    const rating = decodeJson(value);
    if (!isJsonObject(rating)) return report(field, "must be a rating");
    if (Array.isArray(rating.counts) && !isWithin(rating.counts, maxElements, field)) return undefined;
    const { counts, max, total, rating: average } = rating;
    const isSound =
      Array.isArray(counts) &&
      counts.every(isCount) &&
      isCount(max) &&
      max !== 0 &&
      isCount(total) &&
      isPositive(average);
    return isSound ? { counts, max, total, rating: average } : report(field, "must have counts, max, total and rating");
  },
};

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPositive(value: Json | undefined): value is number {
  return typeof value === "number" && value >= 0;
}
