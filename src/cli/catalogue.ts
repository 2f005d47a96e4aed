// Every command: its name, its words for the help, and where its function is. Functions are loaded when they are called,
// so that `cairn help` stays quick. Nothing here does any work.

import type { Call } from "./call.ts";

/** Resolves to the exit code; anything but a number means 0. */
// biome-ignore lint/suspicious/noExplicitAny: each command declares the options that the catalogue gives it
export type Run = (call: Call, options: any, ...args: string[]) => Promise<unknown>;

export interface CommandEntry {
  /** As commander writes it: `<needed>`, `[optional]`. */
  name: string;
  group: string;
  about: string;
  options?: readonly OptionEntry[];
  examples?: readonly string[];
  /** It reports, so it takes `--json`. */
  reports?: true;
  load(): Promise<Run>;
}

/** Flags, what they do, the default; an array as the default makes the option repeatable. */
export type OptionEntry = readonly [flags: string, about: string, fallback?: string | readonly string[]];

const filterOptions: readonly OptionEntry[] = [
  ["--search <words>", "full-text search"],
  ["--filter <property=value>", "keep what matches; also property[op]=value; repeatable", []],
  ["--sort <properties>", "sort by"],
  ["--limit <n>", "at most so many, up to 100"],
  ["--offset <n>", "leave out the first so many"],
];
const selectOptions: readonly OptionEntry[] = [
  ["--include <clauses>", "only objects that match all clauses, such as status:live,views:gt:10"],
  ["--exclude <clauses>", "no objects that match any clause"],
];
const outputOption: OptionEntry = ["-o, --output <file>", "write to a file instead of standard output"];
const forceOption: OptionEntry = ["--force", "do not ask"];

export const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    group: "Service",
    about: "Run the server",
    options: [
      ["--host <address>", "address to listen on"],
      ["--port <port>", "port to listen on; 0 takes a free one"],
      ["--workers <n>", "server processes"],
    ],
    examples: ["cairn serve --port 8080 --data ./data"],
    load: async () => (await import("./service.ts")).serve,
  },
  {
    name: "info",
    group: "Service",
    about: "Show versions, paths, the storage engine and what is stored",
    reports: true,
    load: async () => (await import("./info.ts")).showInfo,
  },
  {
    name: "version",
    group: "Service",
    about: "Show the version",
    reports: true,
    load: async () => (await import("./service.ts")).showVersion,
  },
  {
    name: "user:create",
    group: "Users and API keys",
    about: "Create a user",
    options: [
      ["--id <id>", "id; the first user is admin unless given"],
      ["--email <address>", "e-mail address"],
      ["--password <text>", "password; - reads it from standard input; asked for when left out"],
      ["--groups <list>", "access groups, such as admin", ""],
      ["--name <name>", "full name"],
    ],
    examples: [
      "cairn user:create --email ada@example.org --groups admin",
      "pass show cairn | cairn user:create --email ada@example.org --password -",
    ],
    reports: true,
    load: async () => (await import("./users.ts")).createUser,
  },
  {
    name: "user:list",
    group: "Users and API keys",
    about: "List the users",
    reports: true,
    load: async () => (await import("./users.ts")).listUsers,
  },
  {
    name: "user:update <id>",
    group: "Users and API keys",
    about: "Change a user; only what is named changes",
    options: [
      ["--email <address>", "e-mail address"],
      ["--name <name>", "full name"],
      ["--groups <list>", "access groups, in place of those it has"],
      ["--active <true|false>", "whether the user may sign in; false signs out at once"],
      ["--expiration <date>", "until when the user may sign in; '' is without end"],
    ],
    examples: [
      "cairn user:update ada --groups editor,press",
      "cairn user:update ada --active false",
      "cairn user:update ada --expiration 2030-12-31",
    ],
    reports: true,
    load: async () => (await import("./users.ts")).updateUser,
  },
  {
    name: "user:password <id>",
    group: "Users and API keys",
    about: "Set a user's password; whoever is signed in with the old one is signed out",
    options: [["--password <text>", "password; - reads it from standard input; asked for when left out"]],
    examples: ["cairn user:password ada", "pass show cairn | cairn user:password ada --password -"],
    reports: true,
    load: async () => (await import("./users.ts")).setPassword,
  },
  {
    name: "user:delete <id>",
    group: "Users and API keys",
    about: "Delete a user and end their sessions",
    options: [forceOption],
    examples: ["cairn user:delete ada --force"],
    reports: true,
    load: async () => (await import("./users.ts")).deleteUser,
  },
  {
    name: "key:create",
    group: "Users and API keys",
    about: "Create an API key; it is shown only now",
    options: [
      ["--name <name>", "what the key is for"],
      ["--methods <list>", "HTTP methods it may use", "GET,POST,PUT,PATCH,DELETE"],
      ["--endpoints <list>", "path prefixes it may reach, such as /collections/blog; * is all", "*"],
    ],
    examples: ["cairn key:create --name website --methods GET --endpoints /collections/blog"],
    reports: true,
    load: async () => (await import("./keys.ts")).createKey,
  },
  {
    name: "key:list",
    group: "Users and API keys",
    about: "List the API keys",
    reports: true,
    load: async () => (await import("./keys.ts")).listKeys,
  },
  {
    name: "key:delete <id>",
    group: "Users and API keys",
    about: "Delete an API key; it stops working at once",
    reports: true,
    load: async () => (await import("./keys.ts")).deleteKey,
  },
  {
    name: "group:list",
    group: "Users and API keys",
    about: "List the access groups",
    reports: true,
    load: async () => (await import("./groups.ts")).listGroups,
  },
  {
    name: "group:get <id>",
    group: "Users and API keys",
    about: "Show an access group",
    reports: true,
    load: async () => (await import("./groups.ts")).getGroup,
  },
  {
    name: "group:set <id> [file]",
    group: "Users and API keys",
    about: "Create or replace an access group from a JSON file; what it leaves out grants nothing",
    options: [["--data-json <json>", "the group itself"]],
    examples: [
      `cairn group:set authors --data-json '{"permissions":{"collections":{"operations":["create","read"],"allowed":["blog"]}}}'`,
    ],
    reports: true,
    load: async () => (await import("./groups.ts")).setGroup,
  },
  {
    name: "group:delete <id>",
    group: "Users and API keys",
    about: "Delete an access group; its grants end at once",
    reports: true,
    load: async () => (await import("./groups.ts")).deleteGroup,
  },
  {
    name: "settings:get [key]",
    group: "Settings",
    about: "Show one setting, a section, or all",
    examples: ["cairn settings:get htmlclean"],
    reports: true,
    load: async () => (await import("./settings.ts")).getSetting,
  },
  {
    name: "settings:set <key> <value>",
    group: "Settings",
    about: "Change a setting; a running server follows at once",
    examples: ["cairn settings:set api.corsOrigins '[\"https://example.org\"]'", "cairn settings:set edition lite"],
    reports: true,
    load: async () => (await import("./settings.ts")).setSetting,
  },
  {
    name: "schema:list",
    group: "Schemas",
    about: "List the schemas",
    options: [["--filter <kind>", "reserved or custom"]],
    reports: true,
    load: async () => (await import("./schemas.ts")).listSchemas,
  },
  {
    name: "schema:get <id>",
    group: "Schemas",
    about: "Show a schema with its parents merged in",
    options: [["--raw", "as it is stored, parents not merged"]],
    reports: true,
    load: async () => (await import("./schemas.ts")).getSchema,
  },
  {
    name: "schema:export <id>",
    group: "Schemas",
    about: "Write a schema as a JSON file",
    options: [outputOption],
    load: async () => (await import("./schemas.ts")).exportSchema,
  },
  {
    name: "schema:import <file>",
    group: "Schemas",
    about: "Create or replace a schema from a JSON file; - is standard input",
    reports: true,
    load: async () => (await import("./schemas.ts")).importSchema,
  },
  {
    name: "schema:lint [id]",
    group: "Schemas",
    about: "Look for mistakes in one schema, or all",
    options: [["--strict", "fail on warnings too"]],
    reports: true,
    load: async () => (await import("./schemas.ts")).lintSchema,
  },
  {
    name: "collection:list",
    group: "Collections",
    about: "List the collections",
    reports: true,
    load: async () => (await import("./collections.ts")).listCollections,
  },
  {
    name: "collection:get <collection>",
    group: "Collections",
    about: "Show a collection's settings",
    reports: true,
    load: async () => (await import("./collections.ts")).getCollection,
  },
  {
    name: "collection:create <collection>",
    group: "Collections",
    about: "Create a collection",
    options: [
      ["--schema <id>", "the schema of its objects"],
      ["--name <name>", "its title"],
      ["--settings <json>", "more settings, as a JSON object"],
    ],
    examples: ["cairn collection:create news --schema blog --name News"],
    reports: true,
    load: async () => (await import("./collections.ts")).createCollection,
  },
  {
    name: "collection:delete <collection>",
    group: "Collections",
    about: "Delete a collection with all its objects",
    options: [forceOption],
    reports: true,
    load: async () => (await import("./collections.ts")).deleteCollection,
  },
  {
    name: "collection:query <collection>",
    group: "Collections",
    about: "Search a collection's index",
    options: [...filterOptions, ...selectOptions],
    examples: ["cairn collection:query blog --search mountain --sort -date --limit 5"],
    reports: true,
    load: async () => (await import("./query.ts")).queryCollection,
  },
  {
    name: "collection:export <collection>",
    group: "Collections",
    about: "Write all objects as JSON or CSV",
    options: [["--format <format>", "json or csv; else by the file's ending"], ...selectOptions, outputOption],
    examples: ["cairn collection:export blog -o blog.csv"],
    load: async () => (await import("./transfer.ts")).exportCollection,
  },
  {
    name: "collection:import <collection> <file>",
    group: "Collections",
    about: "Create objects from a JSON, NDJSON or CSV file; - is standard input",
    options: [
      ["--update", "change existing objects instead; ids that do not exist are skipped"],
      ["--format <format>", "json, ndjson or csv; else by the file's ending"],
    ],
    examples: ["cairn collection:import blog posts.json", "cairn collection:import blog prices.csv --update"],
    reports: true,
    load: async () => (await import("./transfer.ts")).importCollection,
  },
  {
    name: "object:list <collection>",
    group: "Objects",
    about: "List objects",
    options: [...filterOptions, ["--order <direction>", "asc or desc"]],
    reports: true,
    load: async () => (await import("./query.ts")).listObjects,
  },
  {
    name: "object:get <collection> <id>",
    group: "Objects",
    about: "Show an object",
    reports: true,
    load: async () => (await import("./objects.ts")).getObject,
  },
  {
    name: "object:create <collection> [file]",
    group: "Objects",
    about: "Create an object from a JSON file; - is standard input",
    options: [["--data-json <json>", "the object itself"]],
    examples: [`cairn object:create blog --data-json '{"title":"Hello"}'`],
    reports: true,
    load: async () => (await import("./objects.ts")).createObject,
  },
  {
    name: "object:patch <collection> <id> [file]",
    group: "Objects",
    about: "Change properties of an object",
    options: [
      ["--property <name=value>", "one property; the value is JSON, or else text; repeatable", []],
      ["--data-json <json>", "the properties as a JSON object"],
    ],
    examples: ["cairn object:patch blog hello --property title='Hello again' --property draft=false"],
    reports: true,
    load: async () => (await import("./objects.ts")).patchObject,
  },
  {
    name: "object:delete <collection> <id>",
    group: "Objects",
    about: "Delete an object",
    options: [forceOption],
    reports: true,
    load: async () => (await import("./objects.ts")).deleteObject,
  },
  {
    name: "object:export <collection> <id>",
    group: "Objects",
    about: "Write an object as a JSON file",
    options: [outputOption],
    load: async () => (await import("./transfer.ts")).exportObject,
  },
  {
    name: "deck:import <collection> <id> <property> <file>",
    group: "Objects",
    about: "Add items to a deck from a JSON or CSV file; - is standard input",
    options: [
      ["--update", "change existing items instead; ids that do not exist are skipped"],
      ["--format <format>", "json, ndjson or csv; else by the file's ending"],
    ],
    reports: true,
    load: async () => (await import("./transfer.ts")).importDeckItems,
  },
  {
    name: "file:password <collection> <id> <property> [name]",
    group: "Files",
    about: "Make links that open a protected file; without a name, all files of a depot",
    options: [
      ["--password <text>", "the file's password; - reads it from standard input"],
      ["--expires <duration>", "how long the links work, such as P7D; without end when left out"],
    ],
    examples: ["cairn file:password press spring kit --password lilac-42 --expires P7D"],
    reports: true,
    load: async () => (await import("./file-links.ts")).makeLink,
  },
  {
    name: "images:warm <collection> <property> <preset>",
    group: "Files",
    about: "Make a preset of every image of a property ahead of time",
    examples: ["cairn images:warm blog image medium"],
    reports: true,
    load: async () => (await import("./images.ts")).warm,
  },
  {
    name: "audit:list",
    group: "Maintenance",
    about: "Show who signed in, and who changed users, groups, keys and settings; the newest last",
    options: [
      ["--type <type>", "events of this type only, such as login.failed"],
      ["--since <time>", "from a date on, or a duration before now, such as P1D"],
      ["--limit <n>", "the last so many; 0 is all", "100"],
    ],
    examples: ["cairn audit:list --type login.failed --since PT1H"],
    reports: true,
    load: async () => (await import("./audit.ts")).list,
  },
  {
    name: "files:check",
    group: "Maintenance",
    about: "Find stored files that no object names, and files that are missing",
    options: [["--fix", "remove the files that no object names"]],
    reports: true,
    load: async () => (await import("./files.ts")).check,
  },
  {
    name: "repair:index [collection]",
    group: "Maintenance",
    about: "Build the index of one collection, or all, again",
    options: [["--all", "every collection"]],
    reports: true,
    load: async () => (await import("./repair.ts")).repairIndex,
  },
];

export const examples: readonly string[] = [
  "cairn serve --port 8080",
  "cairn user:create --email ada@example.org --groups admin",
  "cairn key:create --name website --methods GET",
  "cairn collection:create news --schema blog",
  "cairn collection:import news posts.json",
];
