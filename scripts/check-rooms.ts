// Holds the direction of imports: which room may import which, who owns which package, and a few habits that keep files findable.
// The tables below are the rules; `checkRooms` is pure, so that its own test can prove that it fails.

import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";

interface Room {
  /** Rooms it may import, besides itself. */
  imports: readonly string[];
  /** Rooms of which it may import types alone. */
  types?: readonly string[];
}

const tools = ["base", "contract"];
const ground = ["context", "config", ...tools];
/** Rooms of the product, in the order in which they may import each other: each the ones before it. */
const product = ["access", "schemas", "content", "accounts", "media", "transfer", "installation"];
const features = [
  "mail",
  "oauth",
  "redirects",
  "site",
  "mailer",
  "webhooks",
  "sync",
  "review",
  "automations",
  "data-views",
  "forms",
];
const everything = [
  ...product,
  ...features,
  "extensions",
  "admin",
  "http",
  "mcp",
  "openapi",
  "cli",
  "jobs",
  "sandbox",
  "storage",
  "lanes",
  "files",
  "definitions",
  "rules",
  ...ground,
];
const rooms: Record<string, Room> = {
  contract: { imports: [] },
  rules: { imports: ["contract"] },
  base: { imports: ["contract"] },
  config: { imports: tools },
  lanes: { imports: tools, types: ["storage"] },
  storage: { imports: ["lanes", ...tools] },
  files: { imports: tools },
  definitions: { imports: ["storage", "files", ...tools] },
  jobs: { imports: ["storage", ...tools] },
  sandbox: { imports: tools },
  access: { imports: ["storage", "lanes", ...tools], types: ["context"] },
  context: {
    imports: ["access"],
    types: ["content", "storage", "lanes", "files", "definitions", "jobs", "mail", "config", ...tools],
  },
  schemas: { imports: ["rules", "files", ...tools], types: ["storage", "context"] },
  content: { imports: ["rules", "schemas", "access", "jobs", "storage", "lanes", "files", ...ground] },
  mail: { imports: ["jobs", "storage", "config", ...tools], types: ["context"] },
  accounts: { imports: ["mail", "content", "schemas", "access", "storage", ...ground] },
  media: { imports: ["rules", "content", "schemas", "access", "jobs", "storage", "files", ...ground] },
  transfer: { imports: ["content", "schemas", "access", "jobs", "storage", ...ground] },
  installation: {
    imports: ["rules", "media", "content", "schemas", "access", "jobs", "storage", "files", ...ground],
    types: ["definitions"],
  },
  oauth: { imports: ["content", "access", "definitions", "storage", ...ground] },
  redirects: { imports: ["content", "access", "storage", ...ground] },
  site: {
    imports: ["rules", "redirects", "content", "schemas", "access", "jobs", "storage", "lanes", "files", ...ground],
  },
  mailer: {
    imports: ["mail", "site", "transfer", "content", "schemas", "access", "jobs", "storage", ...ground],
  },
  webhooks: { imports: ["content", "access", "jobs", "storage", ...ground] },
  sync: {
    imports: [
      "redirects",
      "site",
      "transfer",
      "media",
      "content",
      "schemas",
      "access",
      "definitions",
      "jobs",
      "storage",
      "lanes",
      "files",
      ...ground,
    ],
  },
  review: { imports: ["content", "schemas", "access", "jobs", "storage", "lanes", "files", ...ground] },
  automations: {
    imports: [
      "rules",
      "mailer",
      "mail",
      "site",
      "installation",
      "media",
      "content",
      "access",
      "jobs",
      "storage",
      "lanes",
      "sandbox",
      ...ground,
    ],
  },
  "data-views": {
    imports: ["automations", "transfer", "content", "access", "jobs", "storage", "sandbox", ...ground],
  },
  forms: {
    imports: [
      "automations",
      "mailer",
      "mail",
      "site",
      "media",
      "content",
      "schemas",
      "access",
      "jobs",
      "storage",
      "files",
      ...ground,
    ],
  },
  extensions: {
    imports: [
      "automations",
      "data-views",
      "mailer",
      "site",
      "sync",
      "media",
      "content",
      "schemas",
      "access",
      "jobs",
      "storage",
      "sandbox",
      ...ground,
    ],
  },
  mcp: { imports: ["extensions", ...product, ...features, ...ground] },
  admin: { imports: ["rules", "extensions", ...product, ...features, "jobs", "storage", "lanes", ...ground] },
  openapi: { imports: ["access", "content", "schemas", ...ground] },
  http: { imports: ["admin", "extensions", "mcp", "openapi", ...product, ...features, ...ground] },
  cli: { imports: ["mcp", "admin", "extensions", "openapi", ...product, ...features, ...ground] },
  app: { imports: everything },
  "context.fixture": { imports: ["app", ...everything] },
  "server-process": { imports: everything },
  "handed-connections": { imports: [] },
  "replace-workers": { imports: ["server-process", ...everything] },
  supervise: { imports: ["handed-connections", "replace-workers", "server-process", ...everything] },
  serve: { imports: ["app", "server-process", "supervise", ...everything] },
  main: { imports: ["app", "serve", ...everything] },
  testing: { imports: ["app", ...everything] },
};

/** Each package has one owner room; nobody else imports it. */
const packages: Record<string, readonly string[]> = {
  "@faker-js/faker": ["sync"],
  "@fastify/multipart": ["http"],
  "@fastify/proxy-addr": ["http"],
  "@fastify/static": ["http"],
  "@jitl/quickjs-ng-wasmfile-release-sync": ["sandbox"],
  "@modelcontextprotocol/server": ["mcp"],
  "@simplewebauthn/server": ["accounts"],
  ajv: ["schemas"],
  "ajv-formats": ["schemas"],
  commander: ["cli"],
  croner: ["automations", "rules"],
  "csv-parse": ["transfer"],
  exifreader: ["files"],
  fastify: ["http"],
  "file-type": ["files"],
  "heic-decode": ["files"],
  "ipaddr.js": ["base"],
  jose: ["oauth"],
  liquidjs: ["site"],
  marked: ["site"],
  "node:sqlite": ["storage"],
  nodemailer: ["mail"],
  pg: ["storage"],
  "pg-cursor": ["storage"],
  pino: ["base"],
  "prom-client": ["http"],
  "quickjs-emscripten-core": ["sandbox"],
  re2js: ["base"],
  s3mini: ["files"],
  "sanitize-html": ["schemas"],
  sharp: ["files"],
  thumbhash: ["files"],
  transliteration: ["base"],
  undici: ["base"],
  yauzl: ["sync"],
};

/** The admin web app: its folders, lowest first; each may import the ones before it. */
const adminOrder = [
  "styles",
  "words",
  "ui",
  "api",
  "session",
  "shell",
  "files",
  "editor",
  "elements",
  "fields",
  "form",
  "grid",
];
/** Beside each other: neither imports the other. */
const adminNeighbours: Record<string, string> = { grid: "form", editor: "files", elements: "editor" };
const adminRooms: Record<string, Room> = Object.fromEntries(
  [...adminOrder, "pages", "router", "main"].map((room, at, order) => [
    room,
    { imports: ["contract", "rules", ...order.slice(0, at).filter((below) => below !== adminNeighbours[room])] },
  ]),
);

const adminPackages: Record<string, readonly string[]> = {
  "@fontsource-variable/source-sans-3": ["main"],
  "@codemirror/*": ["editor"],
  "@internationalized/date": ["ui", "fields"],
  "@lezer/highlight": ["editor"],
  "@simplewebauthn/browser": ["session"],
  "@tanstack/react-query": ["session", "shell", "files", "elements", "fields", "form", "grid", "pages", "main"],
  "@tanstack/react-router": ["session", "shell", "elements", "form", "grid", "pages", "router", "main"],
  "@tanstack/react-virtual": ["grid"],
  "@tiptap/*": ["editor"],
  croner: ["pages"],
  "lucide-react": [...adminOrder, "pages"],
  react: [...adminOrder, "pages", "router", "main"],
  "react-aria-components": ["ui", "shell", "fields", "grid", "files"],
  "react-dom": ["ui", "main"],
};

/** A tree of sources with rooms of its own. */
interface Tree {
  /** With a slash at its end. */
  root: string;
  rooms: Record<string, Room>;
  packages: Record<string, readonly string[]>;
}

const server: Tree = { root: "src/", rooms, packages };
const admin: Tree = { root: "admin/src/", rooms: adminRooms, packages: adminPackages };
/** The client of the API: lowest first. It has no packages. */
const clientOrder = ["types", "transport", "query", "expand", "images", "files", "collection", "client"];
const clientRooms = Object.fromEntries(clientOrder.map((room, at) => [room, { imports: clientOrder.slice(0, at) }]));
const client: Tree = { root: "client/src/", rooms: clientRooms, packages: {} };
const trees = [server, admin, client];
const treeOf = (path: string) => trees.find(({ root }) => path.startsWith(root));

/** The logger is handed around as a part of the app, so everyone may name its type. */
const typesForAll = new Set(["pino"]);

const engineWords = /sqlite|postgres/i;
/** Tests say on which engine they run. */
const mayNameEngines = (path: string) =>
  /^src\/(storage\/engines|config|testing)\//.test(path) ||
  path === "src/storage/open.ts" ||
  /\.(test|contract)\.ts$/.test(path);
const maxLines = 500;
/** Source files in one folder; tests, fixtures and contract suites do not count. */
const maxFiles = 30;
/** Parts of the admin's ui/ and areas of words are one file each, found by their names: folders would only hide them. */
const maxParts = {
  "admin/src/ui": 60,
  "admin/src/words": 60,
  "admin/src/words/en": 60,
  "admin/src/words/de": 60,
} as Record<string, number>;
/** Of the lines of src/, in one room. */
const maxShare = 0.12;
/** The context names the types of the parts it hands around, and they name it: a circle of types by design. */
const mayClose = (path: string) => path === "src/context.ts";

/** Loads the code of extensions, wherever it lies. */
const codeLoaders = ["src/extensions/host/host-thread.ts", "admin/src/elements/load-element.ts"];

export interface Import {
  from: string;
  isType: boolean;
  isDynamic: boolean;
}

export function parseImports(text: string): Import[] {
  const found: Import[] = [];
  const statement = /^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;
  for (const [, type, from] of text.matchAll(statement))
    found.push({ from: from as string, isType: type !== undefined, isDynamic: false });
  // Not after a backtick: that is the text of a program for another process.
  for (const [, from] of text.matchAll(/(?<!`)\bimport\(\s*(?:"([^"]+)")?/g))
    found.push({ from: from ?? "", isType: false, isDynamic: true });
  return found;
}

/** Problems of a tree given as path (from the project root) -> text. */
export function checkRooms(files: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [path, text] of files) {
    const complain = (what: string) => problems.push(`${path}: ${what}`);
    const lines = text.split("\n").length - 1;
    if (lines > maxLines) complain(`${lines} lines; split it by idea (${maxLines} at most)`);
    if (/^export default\b/m.test(text)) complain("default export; name it");
    if (/^export\s[^"';=]*?\sfrom\s+"/m.test(text))
      complain("passes on another file's exports; import from the source");
    const tree = treeOf(path);
    if (!tree) {
      checkOutside(path, text, complain);
      continue;
    }
    if (tree === server && !mayNameEngines(path) && engineWords.test(text))
      complain(
        "names a database engine; only storage/engines/, storage/open.ts and config/ do: add a member of Dialect",
      );
    graph.set(path, checkInside(path, text, tree, complain));
  }
  return [...problems, ...findCycles(graph, files), ...findCrowds(files)];
}

/** Folders with too many files, and rooms that hold too much of the code. */
function findCrowds(files: ReadonlyMap<string, string>): string[] {
  const folders = new Map<string, number>();
  const lines = new Map<string, number>();
  let total = 0;
  for (const [path, text] of files) {
    const tree = treeOf(path);
    if (!tree || /\.(test|fixture|contract)\.ts$/.test(path)) continue;
    const count = text.split("\n").length - 1;
    folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
    if (tree !== server) continue;
    total += count;
    lines.set(roomOf(path), (lines.get(roomOf(path)) ?? 0) + count);
  }
  const full = [...folders].filter(([folder, count]) => count > (maxParts[folder] ?? maxFiles));
  const large = [...lines].filter(([, count]) => lines.size > 8 && count > total * maxShare);
  const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`;
  return [
    ...full.map(([folder, count]) => `${folder}: ${count} files; group them in folders (${maxFiles} at most)`),
    ...large.map(
      ([room, count]) => `src/${room}: ${percent(count / total)} of the code (${percent(maxShare)} at most)`,
    ),
  ];
}

/** Where `@contract/` and `@rules/` lead in the admin. */
function isShared(from: string): boolean {
  return from.startsWith("@contract/") || from.startsWith("@rules/");
}

/** Checks the imports of one file in a tree; returns the files it imports. */
function checkInside(path: string, text: string, tree: Tree, complain: (what: string) => void): string[] {
  const room = roomOf(path);
  const rule = tree.rooms[room];
  if (!rule) {
    complain(`is in no known room (${room}); add it to the table`);
    return [];
  }
  const needed: string[] = [];
  for (const { from, isType, isDynamic } of parseImports(text)) {
    if (isDynamic && from === "") {
      if (!codeLoaders.includes(path)) complain("imports a computed name");
    } else if (from.startsWith("../") || from.includes("/../")) complain(`${from}: use #room/file.ts`);
    else if (tree === admin && isShared(from)) needed.push(`src/${from.slice(1)}`);
    else if (/\.(css|svg)(\?inline)?$/.test(from)) continue;
    else if (from.startsWith("./") || from.startsWith("#")) {
      const target = from.startsWith("#") ? `${tree.root}${from.slice(1)}` : normalize(join(dirname(path), from));
      const owner = roomOf(target);
      const mayImport = owner === room || rule.imports.includes(owner) || (isType && rule.types?.includes(owner));
      if (!mayImport && !isTest(path))
        complain(`${room} may not import ${owner}${isType ? "" : " at run time"} (${from})`);
      if (!isType || !(mayClose(path) || mayClose(target))) needed.push(target);
    } else if (!(isType && typesForAll.has(from))) checkPackage(from, room, tree, complain);
  }
  return needed;
}

function checkPackage(from: string, room: string, { packages }: Tree, complain: (what: string) => void): void {
  const name = from.startsWith("@") ? from.split("/").slice(0, 2).join("/") : (from.split("/")[0] as string);
  const scope = `${name.split("/")[0]}/*`;
  const owners = packages[from] ?? packages[name] ?? packages[scope];
  if (owners ? !owners.includes(room) : !from.startsWith("node:"))
    complain(
      owners ? `the package ${name} belongs to ${owners.join(" and ")}` : `the package ${name} has no owner room`,
    );
}

/** Tests, scripts and benchmarks stand outside: of the product they may know its words, tests nothing more but how to wait. */
function checkOutside(path: string, text: string, complain: (what: string) => void): void {
  if (!path.startsWith("tests/")) return;
  for (const { from } of parseImports(text)) {
    if (from === "#base/patience.fixture.ts") continue;
    if ((from.startsWith("#") && !from.startsWith("#contract/")) || /(?<!\/client)\/src\//.test(from))
      complain(`tests are black box; of src/ they may import contract/ only (${from})`);
  }
}

/** Tests beside the code may set their scene with any room. */
function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}

function roomOf(path: string): string {
  const inside = path.slice(treeOf(path)?.root.length ?? 0);
  return (inside.split("/")[0] as string).replace(/(\.test)?\.tsx?$/, "");
}

function findCycles(graph: ReadonlyMap<string, string[]>, files: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const done = new Set<string>();
  function visit(path: string, trail: string[]): void {
    const at = trail.indexOf(path);
    if (at >= 0) problems.push(`import cycle: ${[...trail.slice(at), path].join(" -> ")}`);
    if (at >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) {
      if (files.has(next)) visit(next, [...trail, path]);
      else problems.push(`${path}: imports ${next}, which is not there`);
    }
    done.add(path);
  }
  for (const path of graph.keys()) visit(path, []);
  return problems;
}

function findUnused(files: ReadonlyMap<string, string>, dependencies: string[]): string[] {
  const used = new Set<string>();
  for (const [path, text] of files)
    if (path.startsWith("src/")) for (const { from } of parseImports(text)) used.add(from);
  const isUsed = (name: string) => [...used].some((from) => from === name || from.startsWith(`${name}/`));
  return dependencies.filter((name) => !isUsed(name)).map((name) => `package.json: ${name} is not used by src/`);
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  const files = new Map<string, string>();
  for (const path of globSync(["{src,tests,scripts,bench}/**/*.ts", "{admin,client}/src/**/*.{ts,tsx}"], { cwd: root }))
    files.set(path, readFileSync(join(root, path), "utf8"));
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { dependencies: object };
  const problems = [...checkRooms(files), ...findUnused(files, Object.keys(manifest.dependencies))];
  const seen = [...files.keys()].filter((path) => path.startsWith("src/")).length;
  if (seen < 80) problems.push(`only ${seen} files in src/ were seen; something is wrong with the search`);
  for (const problem of problems) console.error(problem);
  console.log(`rooms: ${files.size} files, ${problems.length} problems`);
  process.exitCode = problems.length ? 1 : 0;
}
