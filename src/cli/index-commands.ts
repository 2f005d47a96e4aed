// Commands for the indexes of the database.

import type { CommandEntry } from "./catalogue/command-entry.ts";

export const indexCommands: readonly CommandEntry[] = [
  {
    name: "index:build <collection>",
    group: "Maintenance",
    about: "Build a database index for queries that a large collection is often asked",
    options: [
      ["--equal <properties>", "properties that are compared for equality, separated by commas"],
      ["--sort <property>", "what is sorted by, or compared by range"],
      ["--public", "for callers that see no drafts"],
    ],
    examples: ["cairn index:build orders --equal status --sort placed:desc"],
    reports: true,
    load: async () => (await import("./running/repair.ts")).buildIndex,
  },
];
