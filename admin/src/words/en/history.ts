// Sentences of the versions that the log of changes keeps of an object.

import { plural } from "#words/format.ts";

export const history = {
  kinds: {
    create: "Created",
    update: "Changed",
    delete: "Deleted",
    publish: "Published",
    unpublish: "Unpublished",
    restore: "Restored",
    undo: "Undone",
    collection: "Collection deleted",
  },
  version: (time: string) => `Version of ${time}`,
  older: "Show older versions",
  emptyTitle: "No versions yet",
  emptyText: "Each change from now on is kept here, with who made it.",
  notKept: "The values of this version are not kept any more.",
  trailOnly:
    "This collection keeps who changed what, without the values. Set History to everything in its settings to compare and restore versions.",
  moreProperties: (count: number) => plural(count, { one: "and 1 more", other: (n) => `and ${n} more` }),
  restoreNow: "Restore and save…",
  filesNow: "Files come back by Restore and save.",
  restoreTitle: (time: string) => `Restore the version of ${time}?`,
  restoreText: (count: number) =>
    plural(count, {
      one: "1 property becomes what it was, and is stored at once. That is a new version: it can be taken back.",
      other: (n) =>
        `${n} properties become what they were, and are stored at once. That is a new version: it can be taken back.`,
    }),
  note: "Note",
  noteHelp: "Why. It stands beside the version.",
  restoreLabel: "Restore and save",
  restored: "The version was restored",
  restoredLost: (files: string) => `The version was restored. These files do not come back: ${files}`,
  thisOne: "This version",
};
