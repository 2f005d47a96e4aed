// The part of the catalogue about two installations: push, pull, and the snapshots that they leave.

import type { CommandEntry, OptionEntry } from "./command-entry.ts";

const filterOptions: readonly OptionEntry[] = [
  ["--schemas [ids]", "schemas; all, or those in a comma list"],
  ["--templates [ids]", "templates"],
  ["--pages [ids]", "objects of builder-pages"],
  ["--dataviews [ids]", "objects of dataviews"],
  ["--mailer [ids]", "objects of mailer"],
  ["--mcp-prompts [ids]", "objects of mcp-prompt"],
  ["--automations [ids]", "objects of automations"],
  ["--collections [ids]", "settings of collections, not their objects"],
  ["--collection-meta [ids]", "removed: use --collections"],
];
const dryRun: OptionEntry = ["--dry-run", "compare both sides and send nothing"];
const yes: OptionEntry = ["--yes", "overwrite newer items of the receiver without a question"];

export const syncCommands: readonly CommandEntry[] = [
  {
    name: "push",
    group: "Sync",
    about: "Send schemas, templates, settings and feature objects to the other installation; without flags everything",
    options: [
      ...filterOptions,
      ["--objects <collection[:id,id]>", "seed objects; existing ones stay unchanged; repeatable", []],
      ["--overwrite", "let seeded objects replace existing ones; needs --force"],
      ["--force", "confirm a change that cannot be undone"],
      yes,
      dryRun,
    ],
    examples: [
      "cairn push --dry-run",
      "cairn push --schemas=article,event --pages",
      "cairn push --objects=blog:hello --overwrite --force",
    ],
    reports: true,
    load: async () => (await import("#cli/moving/sync.ts")).push,
  },
  {
    name: "pull",
    group: "Sync",
    about:
      "Fetch schemas, templates, settings and feature objects from the other installation; without flags everything",
    options: [...filterOptions, yes, dryRun],
    examples: ["cairn pull --dry-run", "cairn pull --templates --collections=news"],
    reports: true,
    load: async () => (await import("#cli/moving/sync.ts")).pull,
  },
  {
    name: "backup:list [of]",
    group: "Backups",
    about: "List the snapshots of overwritten items, the newest first; of a collection, or of collection:id",
    examples: ["cairn backup:list", "cairn backup:list builder-pages:home"],
    reports: true,
    load: async () => (await import("#cli/moving/snapshots.ts")).listBackups,
  },
  {
    name: "backup:restore <file>",
    group: "Backups",
    about: "Restore a snapshot, as backup:list names it; the present state becomes a snapshot",
    examples: ["cairn backup:restore objects/builder-pages/home/home-20300102-030405.json"],
    reports: true,
    load: async () => (await import("#cli/moving/snapshots.ts")).restoreBackup,
  },
];
