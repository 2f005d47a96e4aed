// Sentences of the versions of an object.

import { plural } from "#words/format.ts";

export const versions = {
  versions: "Versions",
  until: (time: string) => `Until ${time}`,
  replaced: "Replaced by an import or by sync",
  emptyTitle: "No versions yet",
  emptyText: "Imports, sync and restores keep here what they replace, ten versions of each object.",
  compareWith: "Compare with",
  now: "Now",
  before: "The one before",
  first: "This is the oldest version that is kept.",
  same: "There is no difference.",
  chosen: "Properties to restore",
  filesStay: "Files stay as they are: they are not part of a version.",
  restore: "Restore",
  restoreHelp: "Puts the chosen properties into the form. They are stored with Save.",
  nothingChosen: "Choose at least one property to restore",
  restored: (count: number) =>
    plural(count, {
      one: "1 property is in the form again. Save to keep it.",
      other: (n) => `${n} properties are in the form again. Save to keep them.`,
    }),
  empty: "Empty",
};
