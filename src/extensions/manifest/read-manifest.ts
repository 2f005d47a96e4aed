// Reads `extension.json`: the JSON Schema that ships, then what a schema cannot say. Every problem is found at once, with
// its path. Nothing of the extension runs.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CairnError, type ErrorDetails } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import type { Contributions, ExtensionPermissions, ListedKind, Manifest } from "#contract/extensions.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

import { isServicePath } from "#site/pages/service-paths.ts";
import { checkCommands } from "./check-commands.ts";
import { checkShape } from "./check-shape.ts";
import { isRange } from "./version-range.ts";

export const manifestFile = "extension.json";
/** As it is served: editors complete manifests by it. */
export const manifestSchema = JSON.parse(
  readFileSync(join(import.meta.dirname, "extension.schema.json"), "utf8"),
) as JsonObject;

export interface ReadManifest {
  /** Undefined: it is refused. */
  manifest?: Manifest;
  /** As it is written. */
  raw?: JsonObject;
  /** All problems in one sentence each. */
  problems: string[];
}

/** `files`: the paths in the folder. `id`: what the folder says, where it says one. */
export async function readManifest(
  folder: string,
  { files, id }: { files: ReadonlySet<string>; id?: string | undefined },
): Promise<ReadManifest> {
  const bytes = await readFile(join(folder, manifestFile));
  let value: Json;
  try {
    value = parseJson(bytes);
  } catch (error) {
    const why = error instanceof CairnError ? error.message : "It cannot be read.";
    return { problems: [`extension.json: ${why}`] };
  }
  if (!isJsonObject(value)) return { problems: ["extension.json must be a JSON object."] };
  const details = checkShape(manifestSchema, value);
  if (Object.keys(details).length > 0) return { raw: value, problems: sentencesOf(details) };
  const manifest = complete(value);
  const problems = [
    ...checkNames(manifest),
    ...checkFiles(manifest, files),
    ...checkWords(manifest, id),
    ...checkCommands(manifest.contributes.commands),
  ];
  return problems.length > 0 ? { raw: value, problems } : { raw: value, manifest, problems };
}

function sentencesOf(details: ErrorDetails): string[] {
  return Object.entries(details).flatMap(([path, messages]) =>
    messages.map((message) => `${path === "" ? "extension.json" : path}: ${message}`),
  );
}

export const noPermissions: ExtensionPermissions = {
  collections: {},
  hosts: [],
  mail: false,
  files: false,
  jobs: false,
  print: false,
  cookies: false,
};

const noContributions: Contributions = {
  routes: [],
  siteRoutes: [],
  fields: [],
  adminPages: [],
  tools: [],
  resources: [],
  prompts: [],
  filters: [],
  commands: [],
  reactions: [],
  checks: [],
  schedules: [],
  formActions: [],
  formGuards: [],
  pageSteps: [],
  searchProviders: [],
  schemas: [],
  templates: "",
  assets: "",
};

/** Kinds whose names have a function in the code. Fields have one when they say `normalise`. */
export const functionKinds = [
  "routes",
  "siteRoutes",
  "tools",
  "resources",
  "prompts",
  "filters",
  "commands",
  "reactions",
  "checks",
  "schedules",
  "formActions",
  "formGuards",
  "pageSteps",
  "searchProviders",
] as const satisfies readonly ListedKind[];

function complete(raw: JsonObject): Manifest {
  const { $schema: _, min_edition, settings_schema, default_enabled, ...plain } = raw;
  const { permissions, requires, contributes } = raw as { [key: string]: JsonObject };
  const { templates = "", assets = "", ...lists } = (contributes ?? {}) as unknown as Partial<Contributions>;
  return {
    description: "",
    links: [],
    ...(plain as unknown as Omit<Manifest, "description" | "links">),
    requires: { extensions: {}, ...requires },
    ...(min_edition !== undefined && { minEdition: min_edition as unknown as "lite" | "standard" | "pro" }),
    ...(settings_schema !== undefined && { settingsSchema: settings_schema as unknown as string }),
    defaultEnabled: (default_enabled as unknown as boolean | undefined) ?? false,
    permissions: { ...noPermissions, ...permissions },
    contributes: {
      ...noContributions,
      ...lists,
      templates: templates.replace(/\/$/, ""),
      assets: assets.replace(/\/$/, ""),
    },
  };
}

/** The names that code has to supply functions for, as `kind:name`. */
export function functionNames({ contributes }: Manifest): string[] {
  const fields = contributes.fields.filter(({ normalise }) => normalise).map(({ kind }) => `fields:${kind}`);
  return functionKinds.flatMap((kind) => contributes[kind].map(({ name }) => `${kind}:${name}`)).concat(fields);
}

function checkNames({ contributes }: Manifest): string[] {
  const problems: string[] = [];
  for (const kind of [...functionKinds, "adminPages", "fields"] as const) {
    const seen = new Set<string>();
    for (const entry of contributes[kind]) {
      const name = "kind" in entry ? entry.kind : entry.name;
      if (seen.has(name)) problems.push(`contributes.${kind}: the name "${name}" stands twice`);
      seen.add(name);
    }
  }
  const places = contributes.routes.map(({ method, path }) => `${method} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`);
  const twice = places.find((place, at) => places.indexOf(place) !== at);
  return twice === undefined ? problems : [...problems, `contributes.routes: ${twice} stands twice`];
}

function checkFiles(manifest: Manifest, files: ReadonlySet<string>): string[] {
  const { contributes, entrypoint, settingsSchema, icon } = manifest;
  const named: [string, string | undefined][] = [
    ["entrypoint", entrypoint],
    ["settings_schema", settingsSchema],
    ["icon", icon],
    ...contributes.schemas.map((file): [string, string] => ["contributes.schemas", file]),
    ...contributes.adminPages.map(({ name, element }): [string, string] => [`contributes.adminPages.${name}`, element]),
    ...contributes.fields.flatMap(({ kind, schema: file, element, cell }) =>
      [file, element, cell].map((one): [string, string | undefined] => [`contributes.fields.${kind}`, one]),
    ),
  ];
  const missing = named
    .filter(([, file]) => file !== undefined && !files.has(file))
    .map(([path, file]) => `${path}: there is no file ${file}`);
  const folders = [contributes.templates, contributes.assets]
    .filter((folder) => folder !== "" && ![...files].some((file) => file.startsWith(`${folder}/`)))
    .map((folder) => `contributes: there is no file in the folder ${folder}`);
  const needsCode = functionNames(manifest).length > 0 && entrypoint === undefined;
  return [...missing, ...folders, ...(needsCode ? ["entrypoint: is required, since functions are declared"] : [])];
}

const paths = /^(\/|(\/([A-Za-z0-9_.-]+|\{[a-z][A-Za-z0-9]*\}))+)$/;

function checkWords({ id, contributes, requires, runtime }: Manifest, expected: string | undefined): string[] {
  const problems: string[] = [];
  if (expected !== undefined && id !== expected) problems.push(`id: must be "${expected}", as its folder is called`);
  for (const { name, path } of [...contributes.routes, ...contributes.siteRoutes])
    if (!paths.test(path) || path.split("/").some((part) => part === "." || part === ".."))
      problems.push(`contributes.routes.${name}.path: is not a path with names in braces`);
  for (const { name, body } of contributes.routes)
    if (body === "stream" && runtime === "sandbox")
      problems.push(`contributes.routes.${name}.body: the sandbox has no streams; take bytes`);
  for (const { name, path } of contributes.siteRoutes)
    if (path === "/" || path.startsWith("/{") || isServicePath(path))
      problems.push(`contributes.siteRoutes.${name}.path: must begin with a word that is not one of the service's own`);
  for (const { kind, type, index = [], text = [] } of contributes.fields)
    if (type !== "json" && index.length + text.length > 0)
      problems.push(`contributes.fields.${kind}: index and text name parts of values of the type json`);
  const ranges = [requires.cairn, requires.node, ...Object.values(requires.extensions)];
  for (const range of ranges)
    if (range !== undefined && !isRange(range)) problems.push(`requires: "${range}" is not a range of versions`);
  return problems;
}
