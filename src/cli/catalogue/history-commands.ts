// The commands of the history and of the trash.

import { type CommandEntry, forceOption, type OptionEntry } from "./command-entry.ts";

const group = "History";
const load = () => import("#cli/content/history.ts");
const paging: readonly OptionEntry[] = [
  ["--limit <number>", "how many, at most 100"],
  ["--cursor <cursor>", "where to continue"],
];

export const historyCommands: readonly CommandEntry[] = [
  {
    name: "history:list <collection> <id>",
    group,
    about: "List the changes of an object",
    options: [["--property <name>", "only changes of this property"], ...paging],
    examples: ["cairn history:list news hello"],
    reports: true,
    load: async () => (await load()).list,
  },
  {
    name: "history:show <collection> <id> <change>",
    group,
    about: "Show an object as it was after a change",
    options: [["--diff <other>", "what differs: previous, current or another change"]],
    examples: ["cairn history:show news hello 42", "cairn history:show news hello 42 --diff previous"],
    reports: true,
    load: async () => (await load()).show,
  },
  {
    name: "history:restore <collection> <id> <change>",
    group,
    about: "Restore a version of an object",
    options: [
      ["--property <name>", "only this property; may be repeated", []],
      ["--note <text>", "why"],
    ],
    examples: ["cairn history:restore news hello 42 --property title"],
    reports: true,
    load: async () => (await load()).restore,
  },
  {
    name: "trash:list",
    group,
    about: "List what was deleted and can come back",
    options: [["--collection <id>", "only of this collection"], ...paging],
    examples: ["cairn trash:list --collection news"],
    reports: true,
    load: async () => (await load()).listDeleted,
  },
  {
    name: "trash:restore <change>",
    group,
    about: "Bring back what was deleted",
    options: [["--id <id>", "under another id"]],
    examples: ["cairn trash:restore 42"],
    reports: true,
    load: async () => (await load()).restoreDeleted,
  },
  {
    name: "trash:empty <collection>",
    group,
    about: "Delete what is in the trash of a collection for good",
    options: [forceOption],
    examples: ["cairn trash:empty news --force"],
    reports: true,
    load: async () => (await load()).empty,
  },
];
