// Extensions as their manifests declare them, and as the API shows them.

import type { Operation } from "./collections.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Scope } from "./scopes.ts";

export type Runtime = "node" | "sandbox";

/** Where an extension lies. Of one id the first place counts. */
export const extensionSources = ["project", "data", "package", "bundled"] as const;
export type ExtensionSource = (typeof extensionSources)[number];

export const extensionStates = [
  /** The manifest is refused. */
  "invalid",
  /** Something that it requires is missing. */
  "incompatible",
  "disabled",
  /** It asks for more than was approved. */
  "needs-review",
  "enabled",
  /** It could not be loaded. */
  "failed",
  /** It was switched off after repeated crashes. */
  "quarantined",
] as const;
export type ExtensionState = (typeof extensionStates)[number];

/** Who may call a route. */
export const routeAccess = ["public", "user", "group", "key", "admin"] as const;
export type RouteAccess = (typeof routeAccess)[number];

interface Named {
  name: string;
}

export interface RouteContribution extends Named {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the address of the extension: `/near/{id}`. */
  path: string;
  access: RouteAccess;
  /** What an access token needs; left out: closed to tokens. */
  scope?: Scope;
  /** Calls in a minute from one address. */
  limit?: number;
  summary?: string;
  /** What the code is given of a body that is no JSON; left out: such a body is refused. */
  body?: "bytes" | "stream";
  /** JSON Schemas of the body and of the answer. */
  input?: JsonObject;
  output?: JsonObject;
}

export interface SiteRouteContribution extends Named {
  method: "GET" | "POST";
  /** At the root of the website. */
  path: string;
  limit?: number;
}

/** Types of the core that a field kind may be based on. */
export const baseTypes = ["string", "number", "boolean", "date", "list", "json"] as const;
export type BaseType = (typeof baseTypes)[number];

export interface FieldContribution {
  kind: string;
  title?: string;
  type: BaseType;
  /** The file of a JSON Schema. */
  schema?: string;
  /** Files of elements for the form and for cells. */
  element?: string;
  cell?: string;
  /** In a frame, whatever the runtime. */
  frame?: boolean;
  /** Parts of a JSON value that are filtered and searched. */
  index?: string[];
  text?: string[];
  /** Whether the code changes values before they are stored. */
  normalise?: boolean;
}

/** A field kind as it is kept in the database: it outlives its extension. */
export interface KeptKind {
  title: string;
  type: BaseType;
  schema?: JsonObject;
  index: string[];
  text: string[];
  normalise: boolean;
}

export const navGroups = ["content", "build", "run", "manage"] as const;

export interface AdminPageContribution extends Named {
  title: string;
  /** Below `/admin/ext/{vendor}/{name}/`. */
  path: string;
  element: string;
  icon?: string;
  nav?: (typeof navGroups)[number];
  frame?: boolean;
}

/** Which AI clients are offered a tool, a resource or a prompt. Left out: `group`. */
export const offerAccess = ["public", "user", "group"] as const;
export type OfferAccess = (typeof offerAccess)[number];

export interface ToolContribution extends Named {
  title: string;
  description: string;
  input: JsonObject;
  output?: JsonObject;
  readOnly?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
  /** What an access token needs. Left out: reading or writing, as `readOnly` says. */
  scope?: Scope;
  access?: OfferAccess;
}

export interface FilterContribution extends Named {
  /** Arguments after the value. */
  args?: number;
}

export interface CommandContribution extends Named {
  about: string;
  /** `<id> [more]` */
  arguments?: string;
  options?: [flags: string, about: string][];
}

export interface ReactionContribution extends Named {
  events: string[];
  /** Left out: of all collections. */
  collections?: string[];
}

export type OnFailure = "open" | "closed";

export interface CheckContribution extends Named {
  collections: string[];
  operations: Exclude<Operation, "read">[];
  onFailure?: OnFailure;
}

export interface ScheduleContribution extends Named {
  /** Left out: runs only what `jobs.add` orders. */
  cron?: string;
}

export interface FormActionContribution extends Named {
  title: string;
}

export interface FormGuardContribution extends Named {
  title?: string;
  onFailure?: OnFailure;
}

export interface PageStepContribution extends Named {
  title: string;
  /** What it guards stays closed when it fails. */
  protects?: boolean;
}

export interface ResourceContribution extends Named {
  /** `map://places` or, with names in braces, a template. */
  uri: string;
  title: string;
  description?: string;
  mimeType?: string;
  scope?: Scope;
  access?: OfferAccess;
}

export interface PromptContribution extends Named {
  title: string;
  description?: string;
  arguments?: { name: string; description?: string; required?: boolean }[];
  access?: OfferAccess;
}

export interface SearchProviderContribution extends Named {
  collections: string[];
}

export interface Contributions {
  routes: RouteContribution[];
  siteRoutes: SiteRouteContribution[];
  fields: FieldContribution[];
  adminPages: AdminPageContribution[];
  tools: ToolContribution[];
  resources: ResourceContribution[];
  prompts: PromptContribution[];
  filters: FilterContribution[];
  commands: CommandContribution[];
  reactions: ReactionContribution[];
  checks: CheckContribution[];
  schedules: ScheduleContribution[];
  formActions: FormActionContribution[];
  formGuards: FormGuardContribution[];
  pageSteps: PageStepContribution[];
  searchProviders: SearchProviderContribution[];
  /** Files of schemas. */
  schemas: string[];
  /** The folder of templates; empty: none. */
  templates: string;
  /** The folder of files for browsers; empty: none. */
  assets: string;
}

export type ContributionKind = keyof Contributions;
/** Those that are lists of named things with a function behind each, or an element. */
export type ListedKind = Exclude<ContributionKind, "schemas" | "templates" | "assets">;

export interface ExtensionPermissions {
  /** By collection, or `*` for all but the service's own. */
  collections: { [collection: string]: Operation[] };
  /** Hosts that it may call. */
  hosts: string[];
  mail: boolean;
  files: boolean;
  jobs: boolean;
  /** Its HTML is printed on the site as it is; else it is cleaned by the site's rules. */
  print: boolean;
  /** Its site routes set cookies of visitors whose names begin with `cx-`. */
  cookies: boolean;
}

/** `extension.json` with what it leaves out filled in. */
export interface Manifest {
  id: string;
  name: string;
  version: string;
  api: 1;
  runtime: Runtime;
  description: string;
  license?: string;
  author?: { name: string; email?: string; url?: string };
  links: { label: string; url: string }[];
  icon?: string;
  reviewNote?: string;
  requires: { cairn?: string; node?: string; extensions: { [id: string]: string } };
  minEdition?: "lite" | "standard" | "pro";
  /** Left out: it has no code. */
  entrypoint?: string;
  /** The file of a JSON Schema. */
  settingsSchema?: string;
  defaultEnabled: boolean;
  permissions: ExtensionPermissions;
  contributes: Contributions;
}

/** One thing that an extension adds or may do, with its switch: `routes:near`, `hosts`, `collections:places`. */
export interface Capability {
  name: string;
  /** The kind of contribution, or `permission`. */
  kind: ContributionKind | "permission";
  /** In a sentence. */
  about: string;
  sensitive: boolean;
  on: boolean;
}

/** `GET /api/extensions`, one entry. */
export interface ExtensionRecord {
  id: string;
  name: string;
  version: string;
  description: string;
  author: string;
  source: ExtensionSource;
  runtime: Runtime;
  api: number;
  enabled: boolean;
  state: ExtensionState;
  error: string | null;
  capabilities: Capability[];
  permissions: ExtensionPermissions;
  /** Whether it has settings. */
  settings: boolean;
  /** Where its files for browsers are, with a slash at the end; null: it is not enabled, or has none. */
  assetsBase: string | null;
  deprecations: string[];
  stats: { calls: number; errors: number; crashes: number; p95: number };
}

/** `GET /api/extensions/{vendor}/{name}`. */
export interface ExtensionDetails extends ExtensionRecord {
  manifest: JsonObject | null;
  settingsSchema: JsonObject | null;
  /** The fingerprint to approve, and the approved one. */
  fingerprint: string;
  approved: string | null;
  /** What it asks for beyond what was approved. */
  difference: Capability[];
  code: { files: number; bytes: number; hash: string };
  reviewNote: string | null;
  /** Places of one id that are hidden by this one. */
  hidden: string[];
  uses: { properties: string[]; schemas: string[]; collections: string[]; pages: string[]; forms: string[] };
  errors: ExtensionLogLine[];
}

export interface ExtensionLogLine {
  id: number;
  at: string;
  level: "debug" | "info" | "warn" | "error";
  text: string;
  data: Json;
}
