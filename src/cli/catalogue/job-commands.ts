// The part of the catalogue about background work: automations and jobs.

import type { CommandEntry, OptionEntry } from "./command-entry.ts";

const filterOptions: readonly OptionEntry[] = [
  ["--kind <kind>", "only jobs of this kind, such as automation"],
  ["--subject <id>", "only jobs of this subject"],
  ["--status <status>", "queued, running, succeeded or failed"],
];

export const jobCommands: readonly CommandEntry[] = [
  {
    name: "automations:list",
    group: "Automations and jobs",
    about: "List the automations and their state",
    examples: ["cairn automations:list"],
    reports: true,
    load: async () => (await import("#cli/running/automations.ts")).list,
  },
  {
    name: "automations:run <id>",
    group: "Automations and jobs",
    about: "Run an automation now and print its result",
    options: [["--args <json>", "the handler's args, a JSON object"]],
    examples: ["cairn automations:run nightly", `cairn automations:run report --args '{"month": 3}'`],
    reports: true,
    load: async () => (await import("#cli/running/automations.ts")).run,
  },
  {
    name: "automations:runs <id>",
    group: "Automations and jobs",
    about: "List the runs of an automation, the newest first",
    options: [["--limit <n>", "at most N runs", "20"]],
    examples: ["cairn automations:runs nightly --limit 5"],
    reports: true,
    load: async () => (await import("#cli/running/automations.ts")).runs,
  },
  {
    name: "automations:enable <id>",
    group: "Automations and jobs",
    about: "Enable the triggers of an automation",
    examples: ["cairn automations:enable nightly"],
    reports: true,
    load: async () => (await import("#cli/running/automations.ts")).enable,
  },
  {
    name: "automations:disable <id>",
    group: "Automations and jobs",
    about: "Disable the triggers of an automation",
    examples: ["cairn automations:disable nightly"],
    reports: true,
    load: async () => (await import("#cli/running/automations.ts")).disable,
  },
  {
    name: "automations:process",
    group: "Automations and jobs",
    about: "Run everything that is due: schedules, queued runs and other jobs; safe beside the server",
    examples: ["cairn automations:process", "* * * * * set -a && . /etc/cairn.env && cairn automations:process"],
    reports: true,
    load: async () => (await import("#cli/running/automations.ts")).processQueue,
  },
  {
    name: "jobs:list",
    group: "Automations and jobs",
    about: "List jobs, the newest first",
    options: [...filterOptions, ["--limit <n>", "at most N jobs", "50"]],
    examples: ["cairn jobs:list --status failed"],
    reports: true,
    load: async () => (await import("#cli/running/jobs.ts")).list,
  },
  {
    name: "jobs:retry <id>",
    group: "Automations and jobs",
    about: "Queue a failed job again",
    examples: ["cairn jobs:retry 3f0c6a52-4d3c-4c8e-9a55-1d7f6f2f1b11"],
    reports: true,
    load: async () => (await import("#cli/running/jobs.ts")).retry,
  },
  {
    name: "jobs:cancel <id>",
    group: "Automations and jobs",
    about: "Cancel a job that waits or runs",
    examples: ["cairn jobs:cancel 3f0c6a52-4d3c-4c8e-9a55-1d7f6f2f1b11"],
    reports: true,
    load: async () => (await import("#cli/running/jobs.ts")).cancel,
  },
  {
    name: "jobs:clear",
    group: "Automations and jobs",
    about: "Remove finished jobs",
    options: filterOptions,
    examples: ["cairn jobs:clear --status failed"],
    reports: true,
    load: async () => (await import("#cli/running/jobs.ts")).clear,
  },
];
