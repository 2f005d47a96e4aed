// Sätze darüber, was auf ein Objekt verweist.

import type { references as english } from "#words/en/references.ts";

export const references: typeof english = {
  usedBy: "Verwendet von",
  show: "Zeigen, was hierher verweist",
  none: "Nichts verweist hierher.",
  some: (count: number, hasMore: boolean) =>
    hasMore
      ? `Mehr als ${count} Verweise führen hierher`
      : count === 1
        ? "Ein Verweis führt hierher"
        : `${count} Verweise führen hierher`,
  more: "und weitere",
  indexing: "Verweise werden noch erfasst: Einige können fehlen.",
};
