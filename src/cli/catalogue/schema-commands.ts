// The part of the catalogue about schemas.

import { type CommandEntry, outputOption } from "./command-entry.ts";

export const schemaCommands: readonly CommandEntry[] = [
  {
    name: "schema:list",
    group: "Schemas",
    about: "List the schemas",
    options: [["--filter <kind>", "reserved or custom"]],
    examples: ["cairn schema:list --filter custom"],
    reports: true,
    load: async () => (await import("#cli/content/schemas.ts")).listSchemas,
  },
  {
    name: "schema:get <id>",
    group: "Schemas",
    about: "Show a schema with its parents merged in",
    options: [["--raw", "as it is stored, parents not merged"]],
    examples: ["cairn schema:get blog --raw"],
    reports: true,
    load: async () => (await import("#cli/content/schemas.ts")).getSchema,
  },
  {
    name: "schema:export <id>",
    group: "Schemas",
    about: "Write a schema as a JSON file",
    options: [outputOption],
    examples: ["cairn schema:export product -o product.json"],
    load: async () => (await import("#cli/content/schemas.ts")).exportSchema,
  },
  {
    name: "schema:import <file>",
    group: "Schemas",
    about: "Create or replace a schema from a JSON file; - is standard input",
    examples: ["cairn schema:import product.json"],
    reports: true,
    load: async () => (await import("#cli/content/schemas.ts")).importSchema,
  },
  {
    name: "schema:plan <file>",
    group: "Schemas",
    about: "Show what importing a schema would do to objects; - is standard input",
    examples: ["cairn schema:plan product.json"],
    reports: true,
    load: async () => (await import("#cli/content/schema-plan.ts")).planSchema,
  },
  {
    name: "schema:rename <id> <from> <to>",
    group: "Schemas",
    about: "Rename a property and keep its values",
    examples: ["cairn schema:rename product name title"],
    reports: true,
    load: async () => (await import("#cli/content/schemas.ts")).renameProperty,
  },
  {
    name: "schema:lint [id]",
    group: "Schemas",
    about: "Check one schema, or all, for mistakes",
    options: [["--strict", "fail on warnings too"]],
    examples: ["cairn schema:lint --strict"],
    reports: true,
    load: async () => (await import("#cli/content/schemas.ts")).lintSchema,
  },
  {
    name: "types",
    group: "Schemas",
    about: "Write TypeScript types of all collections, or their JSON Schema",
    options: [
      ["-o, --out <file>", "write to a file instead of standard output; JSON Schema when its name ends in .json"],
      ["--watch", "write the file again whenever a schema or a collection changes"],
    ],
    examples: ["cairn types --out src/cairn-types.d.ts --watch", "cairn types --out cairn-schema.json"],
    load: async () => (await import("#cli/content/types.ts")).writeTypeFile,
  },
];
