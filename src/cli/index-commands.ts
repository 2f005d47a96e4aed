// Commands for the indexes of the database.

import type { CommandEntry } from "./catalogue/command-entry.ts";

export const indexCommands: readonly CommandEntry[] = [
  {
    name: "index:build <collection>",
    group: "Maintenance",
    about: "Build a database index for frequent queries on a large collection",
    options: [
      ["--equal <properties>", "properties that are compared for equality, separated by commas"],
      ["--sort <property>", "the property to sort by, or to compare by range"],
      ["--carry <properties>", "properties that filters with `or` and `not` compare (embedded database)"],
      ["--public", "for callers that see no drafts"],
    ],
    examples: ["cairn index:build orders --equal status --sort placed:desc"],
    reports: true,
    load: async () => (await import("./running/repair.ts")).buildIndex,
  },
];
