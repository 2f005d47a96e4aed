// A collection on the wire.

import type { Json, JsonObject } from "./json.ts";

export type Operation = "create" | "read" | "update" | "delete";
export const operations: readonly Operation[] = ["create", "read", "update", "delete"];

export interface CollectionSummary {
  name: string;
  title: string;
  count: number;
  schema: string;
}

/** Settings by callers. Keys that were never set are filled with their defaults on output. */
export interface CollectionConfig {
  id: string;
  name: string;
  schema: string;
  description: string;
  url: string;
  prettyUrl: boolean;
  category: string;
  labelPlural: string;
  labelSingular: string;
  groups: string[];
  publicOperations: Operation[];
  sortBy: string;
  reverseSort: boolean;
  queueRebuildOnSave: boolean;
  requireEmailVerification: boolean;
  singleton: boolean;
  publicFiles?: boolean;
  /** Templates of the website may read it. Left out: while the public may, or it has a URL pattern. */
  onSite?: boolean;
  properties?: JsonObject;
  customProperties?: JsonObject;
  formSettings?: JsonObject;
  manualSort?: JsonObject;
  sitemap?: JsonObject;
  /** Forms of the website that make objects, by name. */
  forms?: JsonObject;
  /** What is kept of changes: a mode, or an object with `mode` and `trash`. */
  history?: string | JsonObject;
  mcp: JsonObject;
  /** For all who may read the collection. */
  views?: SavedView[];
  [extra: string]: Json | undefined;
}

/** A view of a table: the query of its address, under a name. */
export type SavedView = { name: string; query: string };

/** The settings record: the configuration, and the counters and times of the service. */
export interface CollectionSettings extends CollectionConfig {
  /** Objects ever created. */
  count: number;
  /** Objects now. */
  totalObjects: number;
  /** When an object last changed. */
  lastUpdated: string;
  /** When the configuration last changed. */
  updated: string;
}

/** Collections that are created on first use, and the schema each is bound to. */
export const reservedCollections: Readonly<Record<string, string>> = {
  auth: "auth",
  blog: "blog",
  gallery: "gallery",
  text: "text",
  image: "image",
  file: "file",
  depot: "depot",
  playground: "playground",
  "builder-pages": "builder-page",
  dataviews: "dataviews",
  mailer: "mailer",
  "mcp-prompt": "mcp-prompt",
  automations: "automations",
};

/** Ids that would shadow a folder or a route. */
export const forbiddenCollectionIds = [
  "builder",
  "extensions",
  "templates",
  "logs",
  "schemas",
  "import",
  "export",
  "report",
  "upload",
  "view",
];
export const forbiddenObjectIds = ["query", "index", "schema", "settings", "new", "add", "edit", "id", "__proto__"];
