// The part of the catalogue about the log of changes.

import { type CommandEntry, forceOption } from "./command-entry.ts";

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
    name: "history:forget [collection] [id]",
    group: "Maintenance",
    about: "Erase what the log keeps of an object, or put a pseudonym in the place of a user",
    options: [["--user <id>", "the user, instead of an object"], forceOption],
    examples: ["cairn history:forget news hello --force", "cairn history:forget --user ada --force"],
    reports: true,
    load: async () => (await import("#cli/content/forget.ts")).forget,
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
