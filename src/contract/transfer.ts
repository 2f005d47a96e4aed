// Answers of sync, jumpstart and backups on the wire.

import type { Json, JsonObject } from "./json.ts";

/** What sync and jumpstart carry. */
export interface ItemRef {
  kind: "schema" | "template" | "collection" | "object" | "redirect";
  /** Of a redirect: its source. */
  id: string;
  collection?: string;
}

export interface ImportReport {
  created: ItemRef[];
  updated: ItemRef[];
  unchanged: ItemRef[];
  skipped: ItemRef[];
  /** Always empty: an import with errors changes nothing and answers 422. */
  errors: ItemRef[];
  /** Nothing was stored: the lists say what an import would do. */
  dryRun?: true;
}

export type Side = "local" | "remote";
export type SyncDirection = "push" | "pull";
export type SyncStatus = "differs" | "new" | "identical" | "receiver-only";

export interface ComparedItem extends ItemRef {
  /** Absent when there was nothing to compare with. */
  status?: SyncStatus;
  /** Which side was changed last; `isLikely` when only one of them says. */
  newer?: Side;
  warning?: string;
}

export interface Comparison extends ComparedItem {
  isLikely?: true;
  /** ISO times of the last change. */
  local?: string;
  remote?: string;
}

/** The categories of a selection, in the order of reports. */
export const syncCategories = [
  "schemas",
  "collections",
  "templates",
  "pages",
  "dataviews",
  "mailer",
  "mcp-prompts",
  "automations",
] as const;
export type SyncCategory = (typeof syncCategories)[number];

/** Body of `POST /api/sync/compare`, `/push` and `/pull`, as the flags of the commands. */
export interface SyncRequest {
  /** Of a comparison; the other routes have their own. */
  direction?: SyncDirection;
  /** By category: all of it, or some ids. Without selection and objects: everything but seeding. */
  selection?: { [category in SyncCategory]?: true | string[] };
  /** Objects to seed: `collection`, or `collection:id,id`. Push only. */
  objects?: string[];
  /** Seeded objects replace those that exist. */
  overwrite?: boolean;
  /** Refuse with 412 where the receiver has the newer copy. */
  keepNewer?: boolean;
}

/** `GET /api/sync/remote`. */
export interface SyncRemote {
  configured: boolean;
  /** The API root; empty without one. */
  url: string;
  reachable: boolean;
  /** Of Cairn; empty where it is not known. */
  version: string;
  /** Why it cannot be used. */
  problem?: string;
}

/** `POST /api/sync/compare`. */
export interface SyncComparison {
  direction: SyncDirection;
  remote: string;
  /** Both sides were read. */
  compared: boolean;
  items: Comparison[];
  sent: boolean;
  /** Ids that were named and do not exist. */
  missing: ItemRef[];
  /** Why the remote could not be compared. */
  unreachable?: string;
}

/** `POST /api/sync/push` and `/pull`. */
export interface SyncDone extends SyncComparison {
  result: ImportReport;
  /** The first of two requests succeeded, the second failed. */
  failure?: string;
}

/** `POST /api/sync/difference`: null on the side that has none. */
export interface SyncDifference {
  local: JsonObject | null;
  remote: JsonObject | null;
}

/** `GET /api/backups`: a whole backup in the data directory. */
export interface Backup {
  name: string;
  /** In bytes. */
  size: number;
  created: string;
}

/** Beside the list, as `meta`. */
export interface BackupPlace {
  /** Where the data directory is; null where it is not known. */
  disk: { free: number; total: number } | null;
  /** The backup that is queued or running. */
  job: string | null;
}

/** The result of the job. */
export interface BackupMade {
  [name: string]: Json;
  name: string;
  objects: number;
  files: number;
}
