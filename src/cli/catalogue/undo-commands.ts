// The part of the catalogue about undo.

import type { CommandEntry } from "./command-entry.ts";

export const undoCommands: readonly CommandEntry[] = [
  {
    name: "undo",
    group: "Objects",
    about: "Show what taking back somebody's writes would do, and do it with --apply",
    options: [
      ["--grant <id>", "the writes of one grant of an application"],
      ["--client <id>", "the writes of an application, with all its grants"],
      ["--key <id>", "the writes of an API key"],
      ["--user <id>", "the writes of a user, and of the applications that the user let in"],
      ["--automation <id>", "the writes of an automation"],
      ["--extension <id>", "what an extension wrote, by itself and for its callers"],
      ["--import <job>", "the writes of one import, by the id of its job"],
      ["--writer <number>", "the writes of one writer, such as an undo"],
      ["--since <time>", "only from this time on: an ISO time, or a duration before now such as P1D"],
      ["--until <time>", "only before this time"],
      ["--collections <ids>", "only in these collections, a comma list"],
      ["--force <objects>", "delete these although others have edited them, a comma list of collection/id"],
      ["--apply", "do it; without this nothing changes"],
    ],
    examples: ["cairn undo --grant 7f3a --since P1D", "cairn undo --key 2b61 --collections news --apply"],
    reports: true,
    load: async () => (await import("#cli/content/undo.ts")).run,
  },
];
