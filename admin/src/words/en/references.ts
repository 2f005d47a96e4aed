// Sentences about what points to an object.

export const references = {
  usedBy: "Used by",
  show: "Show what points here",
  none: "Nothing points here.",
  some: (count: number, hasMore: boolean) =>
    `${hasMore ? `More than ${count} references` : count === 1 ? "One reference" : `${count} references`} point${
      count === 1 && !hasMore ? "s" : ""
    } here`,
  more: "and more",
  indexing: "References are still being indexed: some may be missing.",
};
