// Sentences of the page about the system.

import { plural } from "#words/format.ts";

const duration = {
  days: (count: number) => plural(count, { one: "1 day", other: (n) => `${n} days` }),
  hours: (count: number) => plural(count, { one: "1 hour", other: (n) => `${n} hours` }),
  minutes: (count: number) => plural(count, { one: "1 minute", other: (n) => `${n} minutes` }),
};

export const system = {
  title: "System",
  manage: "Manage",
  checkAgain: "Check again",
  checks: "Checks",
  allGood: "Everything that is checked is as it should be.",
  found: (count: number) =>
    plural(count, { one: "1 thing needs attention.", other: (n) => `${n} things need attention.` }),
  levels: { good: "Good", warn: "Attention", bad: "Problem" },
  cure: "What to do",
  installation: "This installation",
  version: "Version",
  edition: "Edition",
  node: "Node",
  engine: "Database",
  engines: { sqlite: "SQLite", postgres: "PostgreSQL" } as Record<string, string>,
  files: "Files",
  stores: { disk: "On the disk of the server", s3: "In an S3 bucket" } as Record<string, string>,
  dataDir: "Data directory",
  projectDir: "Project directory",
  uptime: "Running for",
  duration,
  lessThanAMinute: "less than a minute",
  disk: "Disk",
  free: (free: string, total: string) => `${free} of ${total} free`,
  used: "Used space of the disk",
  content: "Content",
  counts: {
    schemas: (count: number) => plural(count, { one: "1 schema", other: (n) => `${n} schemas` }),
    collections: (count: number) => plural(count, { one: "1 collection", other: (n) => `${n} collections` }),
    objects: (count: number) => plural(count, { one: "1 object", other: (n) => `${n} objects` }),
    keys: (count: number) => plural(count, { one: "1 API key", other: (n) => `${n} API keys` }),
  },
  copyPath: (what: string) => `Copy ${what}`,
};
