// Answers for the admin web app: the start of a session, forms, search, options, bulk changes, the state of the service.

import type { Permissions } from "./access-groups.ts";
import type { Operation, SavedView } from "./collections.ts";
import type { BaseType, navGroups } from "./extensions.ts";
import type { ChangeAuthor, HistoryMode } from "./history.ts";
import type { Json, JsonObject } from "./json.ts";
import type { SchemaRecord } from "./schemas.ts";

/** `GET /api/admin`: all that the shell needs, in one answer. */
export interface AdminStart {
  user: AdminUser;
  csrfToken: string;
  /** The administrator who acts as `user`. */
  impersonator?: AdminUser;
  can: Rights;
  site: SiteFacts;
  /** The collections that the caller may read, by name. */
  collections: AdminCollection[];
  attention: Attention;
  /** What enabled extensions add for this user: of those that a group of theirs holds, for administrators of all. */
  extensions: AdminExtensions;
  /** For administrators. */
  steps?: FirstSteps;
}

export interface AdminExtensions {
  pages: ExtensionPage[];
  fields: ExtensionField[];
  /** To choose from in forms of the website, and in its pages. */
  formActions: ExtensionChoice[];
  pageSteps: (ExtensionChoice & { protects: boolean })[];
}

interface OfExtension {
  /** `{vendor}/{name}` */
  extension: string;
  extensionName: string;
}

/** Parts of the admin that are elements of an extension. */
interface ExtensionElement extends OfExtension {
  /** Show it in a frame without the session: `{assets}~frame.html`. */
  frame: boolean;
  /** Where the files of this version are, with a slash at the end. */
  assets: string;
  /** What its permissions grant of objects, by collection: a frame reaches nothing else of them. */
  collections: { readonly [collection: string]: readonly Operation[] };
}

export interface ExtensionPage extends ExtensionElement {
  name: string;
  title: string;
  /** Below `/admin/ext/{vendor}/{name}/`; empty: that address itself. */
  path: string;
  icon: string | null;
  nav: (typeof navGroups)[number];
  /** The address of the module. */
  element: string;
}

export interface ExtensionField extends ExtensionElement {
  kind: string;
  /** As schemas name it: `{vendor}/{name}:{kind}`. */
  field: string;
  title: string;
  type: BaseType;
  /** The addresses of the modules; null: the admin shows the base type. */
  element: string | null;
  cell: string | null;
}

export interface ExtensionChoice extends OfExtension {
  name: string;
  title: string;
}

/** How far a new site is, as far as the counts of its collections do not tell. */
export interface FirstSteps {
  /** There is an API key. */
  hasKey: boolean;
  /** An AI client has been connected. */
  hasAgent: boolean;
}

export interface AdminUser {
  id: string;
  email: string;
  name: string;
  groups: string[];
}

/** What the caller may do, all groups together; operations on objects are with each collection. */
export interface Rights extends Pick<Permissions, "builder" | "mailer" | "playground" | "dataviews" | "docs"> {
  /** May do everything, users, keys and settings included. */
  admin: boolean;
  /** Operations on the definitions and settings of collections, of all of them. */
  collectionsMeta: Operation[];
  schemas: Operation[];
  /** Names of utilities: `jumpstart`, `cache`, ...; all of them for an administrator. */
  utils: string[];
}

export interface SiteFacts {
  name: string;
  url: string;
  version: string;
  edition: string;
  environment: string;
  timezone: string;
  locales: string[];
  /** Whether mail can be sent. */
  mail: boolean;
  oauth: boolean;
  mcp: boolean;
  passkeys: boolean;
  /** Bytes of the largest file that may be uploaded. */
  maxUploadSize: number;
}

export interface AdminCollection {
  id: string;
  name: string;
  category: string;
  labelSingular: string;
  labelPlural: string;
  schema: string;
  /** Objects now. */
  count: number;
  singleton: boolean;
  sortBy: string;
  reverseSort: boolean;
  /** Its objects have addresses on the site. */
  hasUrl: boolean;
  /** What is kept of its changes: versions, a trash and undo need `full`. */
  history: HistoryMode;
  drafts: boolean;
  locales: string[];
  /** Saved for everybody. */
  views: SavedView[];
  /** What the caller may do with its objects. */
  operations: Operation[];
  /** Whether the caller may change its settings. */
  canConfigure: boolean;
}

/** No count of `attention` is higher: it stands for so many or more. */
export const mostCounted = 1_000;

/** Things that need somebody; a count that the caller may not see is absent. */
export interface Attention {
  failedJobs?: number;
  /** Switched off by the service, after failures. */
  disabledAutomations?: number;
  failedDeliveries?: number;
  /** Failed, or quarantined after crashes. */
  stoppedExtensions?: number;
  /** Places in pages and templates with an error in the last day. */
  siteErrors?: number;
}

/** `GET /api/forms/{collection}?object=`: what a form is drawn from. */
export interface FormDescription {
  collection: string;
  /**
   * Flat: parents and shared definitions are merged, overrides of the collection and of the object applied. Each
   * definition has `type`, `label` and `settings`; that of a card or deck also `itemSchema`, the key in `items`.
   */
  schema: SchemaRecord;
  /** Flat schemas of cards and decks, by id; cards show no `id` unless the schema itself defines one. */
  items: { [schema: string]: SchemaRecord };
  /** `formSettings` of the collection. */
  form: JsonObject;
  /** First of title, name, label, subject, email, id that the schema has. */
  titleProperty: string;
  /** Pattern of the objects' addresses, empty without one. */
  url: string;
  /** Of the object on the site; empty without a pattern, and for a new object. */
  address: string;
  /** Paths of passwords that are set, for callers that may change the object. */
  passwords: string[];
}

/** `GET /api/search` and `GET /api/recent`. */
export interface FoundObject {
  collection: string;
  id: string;
  title: string;
  /** Address of a small image. */
  image?: string;
  modified: string;
  /** Of recent changes: who made the last one; for those who may change the object, where its collection keeps a history. */
  by?: ChangeAuthor;
}

/** `GET /api/options/{source}`. */
export interface Option {
  value: string;
  label: string;
  count?: number;
}

export const optionSources = [
  "values",
  "groups",
  "timezones",
  "locales",
  "collections",
  "schemas",
  "views",
  "templates",
] as const;
export type OptionSource = (typeof optionSources)[number];

/** Body of `POST /api/bulk/{collection}`: `ids` or `select`, and how many objects the caller expects it to reach. */
export interface BulkRequest {
  operation: "patch" | "delete";
  ids?: string[];
  select?: { search?: string; filter?: JsonObject };
  expect: number;
  /** Of a patch: the properties to set. */
  body?: JsonObject;
}

export interface BulkFailure {
  id: string;
  message: string;
  details?: { [property: string]: string[] };
}

export interface BulkResult {
  done: number;
  /** The first thousand. */
  failed: BulkFailure[];
  /** Where the collection keeps its history in full: undoes the whole as `{by: {import: run}}`. Of a job its id does. */
  run?: string;
}

/** Above so many objects a bulk change is a job: 202 `{data: {job}}`. */
export const bulkAtOnce = 100;

/** Body of `POST /api/depots/{collection}/{id}/{property}`: all of it is stored, or nothing. */
export interface DepotChange {
  operation: DepotOperation;
  /** Of files and folders, below the depot. */
  paths: string[];
  /** Of a move: the folder to move to; empty: the top. */
  destination?: string;
  /** Of a renaming, which takes one path: the new last name. */
  name?: string;
}

export const depotOperations = ["move", "rename", "delete"] as const;
export type DepotOperation = (typeof depotOperations)[number];

/** One request changes no more. */
export const maxDepotPaths = 500;

/** A file, folder or depot, or a property with a file. */
export interface FileChoice {
  collection: string;
  id: string;
  /** Below the object, separated by slashes: `papers/2026/report.pdf`, `deck/item/file`. */
  path: string;
}

/** Body of `POST /api/file-links`. */
export interface FileLinkRequest extends FileChoice {
  /** Of the file; where there is none, any text. */
  password: string;
  /** The link ends after this time, a duration such as P7D. */
  expires?: string;
}

/** `POST /api/file-links`. */
export interface FileLink {
  pwd: string;
  /** Addresses from the site's root. */
  download: string;
  stream: string;
  /** The password opens the file; one that is set later may make it so. */
  isRight: boolean;
}

/** `GET /api/file-protection`. */
export interface FileProtection {
  /** For members of `groups` only. Of files in a depot it is the depot's. */
  protected: boolean;
  /** It has a password of its own. */
  hasPassword: boolean;
  /** Below the object: the folder or depot around it whose password holds; empty without one. */
  lockedBy: string;
  /** Of the collection; while there are none, `protected` changes nothing. */
  groups: string[];
}

/** Body of `PUT /api/file-protection`. What is absent stays; `null` removes the password. */
export interface FileProtectionChange extends FileChoice {
  protected?: boolean;
  password?: string | null;
}

/** `PUT /api/presence/{collection}/{id}`. */
export interface PresenceAnswer {
  others: { id: string; name: string; editing: boolean; since: string }[];
  /** Of the object now. */
  etag: string;
  modified: string;
}

/** `GET` and `PUT /api/auth/preferences`; the admin alone reads it, so it may hold more than is named here. */
export interface Preferences {
  theme?: "light" | "dark" | "system";
  density?: "comfortable" | "compact";
  language?: string;
  /** Single-key shortcuts. */
  shortcuts?: boolean;
  /** By collection. */
  tables?: { [collection: string]: TablePreferences };
  [more: string]: Json | undefined | { [collection: string]: TablePreferences };
}

export interface TablePreferences {
  columns?: string[];
  widths?: { [property: string]: number };
  layout?: "table" | "cards";
  views?: SavedView[];
}

/** What `cairn info` shows. */
export interface InstallationInfo {
  version: string;
  node: string;
  engine: string;
  edition: string;
  dataDir: string;
  projectDir: string;
  counts: { schemas: number; collections: number; objects: number; keys: number };
}

/** `GET /api/system`. */
export interface SystemReport extends InstallationInfo {
  /** Where files are stored: `disk` or `s3`. */
  files: string;
  uptimeSeconds: number;
  disk: { free: number; total: number } | null;
  checks: SystemCheck[];
}

export interface SystemCheck {
  id: string;
  level: "good" | "warn" | "bad";
  message: string;
  /** What to do; empty where nothing is wrong. */
  cure: string;
}

/** `GET /api/cache`. */
export interface CacheReport {
  caches: CacheFigures[];
  processes: CacheProcess[];
  images: ImagesReport;
}

/** One kind of cache, in all processes. Counts are since the start of each. */
export interface CacheFigures {
  name: string;
  about: string;
  place: "memory" | "files";
  /** All processes of a machine use the same entries. */
  shared: boolean;
  /** False: it is cleared together with everything else, never alone. */
  clearable: boolean;
  entries: number;
  bytes: number;
  /** The most bytes that it takes. */
  capacity: number;
  hits: number;
  misses: number;
  /** Hits by lookups, from 0 to 1; null where nothing was looked up. */
  rate: number | null;
  /** Entries that were dropped to make room. */
  evictions: number;
  /** No entry is older; null where there is none. */
  oldest: string | null;
}

export interface CacheProcess {
  id: string;
  started: string;
  /** Of all its caches, in memory. */
  bytes: number;
}

/** Derived images on disk. */
export interface ImagesReport {
  files: number;
  bytes: number;
  limit: number;
  /** Files are still being counted: the numbers may grow. */
  isCounting: boolean;
  /** Of collections that the caller may read, the largest first. */
  byCollection: { collection: string; files: number; bytes: number }[];
}

/** `DELETE /api/cache`. */
export interface ClearedCaches {
  /** Derived images. */
  deleted: number;
  /** Entries by kind. */
  cleared: Record<string, number>;
}

export const webServers = ["nginx", "apache", "caddy", "systemd", "docker", "compose", "cron"] as const;
export type WebServer = (typeof webServers)[number];

/** `GET /api/server-config?server=`. */
export interface ServerConfig {
  /** The proxy that this request came through, as far as its headers tell. */
  detected: WebServer | null;
  text: string;
}

export const snapshotKinds = ["schema", "collection", "object"] as const;

/** What a snapshot is of. */
export interface SnapshotTarget {
  kind: (typeof snapshotKinds)[number];
  /** Of an object. */
  collection?: string;
  id: string;
}

/** `GET /api/snapshots`: content that was replaced, and when. */
export interface Snapshot extends SnapshotTarget {
  /** Its path below the folder of the snapshots. */
  file: string;
  /** ISO time at which the content was replaced. */
  created: string;
}

/** `GET /api/snapshots?file=`. */
export interface SnapshotContent extends Snapshot {
  content: JsonObject;
}

/** `POST /api/snapshots/restore`. */
export interface SnapshotRestored extends Snapshot {
  /** The snapshot of the replaced content; null when nothing was replaced, or the newest one is the same. */
  replaced: string | null;
}
