// The part of the catalogue about the log of changes.

import type { CommandEntry } from "./command-entry.ts";

export const logCommands: readonly CommandEntry[] = [
  {
    name: "changes:follow",
    group: "Maintenance",
    about: "Print the changes of all collections as they happen, a JSON line each",
    options: [
      ["--after <cursor>", "start after this cursor; without it: with what happens from now on"],
      ["--until-end", "stop at the end of the log"],
    ],
    examples: ["cairn changes:follow", "cairn changes:follow --after 4f1c0d2e9a7b6c35.0.120"],
    load: async () => (await import("#cli/content/changes.ts")).follow,
  },
  {
    name: "history:prune",
    group: "Maintenance",
    about: "Delete for good what the settings history.* no longer keep; servers do it every hour",
    examples: ["cairn history:prune"],
    reports: true,
    load: async () => (await import("#cli/content/changes.ts")).prune,
  },
  {
    name: "history:verify",
    group: "Maintenance",
    about: "Check that no record of the log of changes was altered, added, removed or moved since it was sealed",
    examples: ["cairn history:verify"],
    reports: true,
    load: async () => (await import("#cli/content/changes.ts")).verify,
  },
];
