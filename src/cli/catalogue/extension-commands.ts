// The part of the catalogue about extensions: those of a site, and making one.

import { type CommandEntry, forceOption } from "./command-entry.ts";

const group = "Extensions";

export const extensionCommands: readonly CommandEntry[] = [
  {
    name: "extension:list",
    group,
    about: "List the extensions that are there, with their states",
    examples: ["cairn extension:list", "cairn extension:list --json"],
    reports: true,
    load: async () => (await import("#cli/extensions/manage.ts")).list,
  },
  {
    name: "extension:show <id>",
    group,
    about: "Show what an extension adds and may do, its state and its last errors",
    examples: ["cairn extension:show acme/map"],
    reports: true,
    load: async () => (await import("#cli/extensions/manage.ts")).show,
  },
  {
    name: "extension:enable <id>",
    group,
    about: "Show what an extension asks for, and enable it",
    options: [
      ["--yes", "approve without a question"],
      ["--without <capabilities>", "switch these off, such as routes:near,mail"],
    ],
    examples: ["cairn extension:enable acme/map", "cairn extension:enable acme/map --yes --without mail"],
    reports: true,
    load: async () => (await import("#cli/extensions/manage.ts")).enable,
  },
  {
    name: "extension:disable <id>",
    group,
    about: "Disable an extension; its data stay",
    options: [["--cascade", "disable those that need it, too"]],
    examples: ["cairn extension:disable acme/map"],
    reports: true,
    load: async () => (await import("#cli/extensions/manage.ts")).disable,
  },
  {
    name: "extension:new <id>",
    group,
    about: "Write a new extension to extensions/ of this folder; it runs at once under cairn dev",
    options: [
      ["--runtime <runtime>", "node (trusted code) or sandbox (nothing but the functions of Cairn)", "node"],
      ["--with <parts>", "of route, field, tool, page, command, reaction, check, filter", "route,tool"],
    ],
    examples: [
      "cairn extension:new acme/map",
      "cairn extension:new acme/map --runtime sandbox --with route,field,page",
    ],
    reports: true,
    site: "none",
    load: async () => (await import("#cli/extensions/make.ts")).make,
  },
  {
    name: "extension:types [id]",
    group,
    about:
      "Copy the types of this version beside the code as cairn.d.ts; of all extensions in extensions/ when left out",
    examples: ["cairn extension:types acme/map"],
    reports: true,
    site: "none",
    load: async () => (await import("#cli/extensions/make.ts")).copyTypes,
  },
  {
    name: "extension:check [id]",
    group,
    about: "Check manifest, types, functions and elements of extensions in extensions/; 1 is the exit code for errors",
    examples: ["cairn extension:check", "cairn extension:check acme/map --json"],
    reports: true,
    site: "none",
    load: async () => (await import("#cli/extensions/check.ts")).check,
  },
  {
    name: "extension:test [id]",
    group,
    about: "Run the tests of extensions in extensions/ by node --test",
    examples: ["cairn extension:test acme/map"],
    site: "none",
    load: async () => (await import("#cli/extensions/test.ts")).test,
  },
  {
    name: "extension:pack <id>",
    group,
    about: "Make the zip of a sandbox extension, or check the package of a node extension",
    options: [["-o, --output <file>", "the zip; vendor-name-version.zip when left out"], forceOption],
    examples: ["cairn extension:pack acme/map", "cairn extension:pack acme/map -o map.zip"],
    reports: true,
    site: "none",
    load: async () => (await import("#cli/extensions/pack.ts")).pack,
  },
];
