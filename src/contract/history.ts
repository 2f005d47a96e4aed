// The log of changes on the wire: what was changed, by which writer, and how it is kept.

import type { Json, JsonObject } from "./json.ts";

/** What is kept of each change of a collection: nothing, that it happened, or also the values that it replaced. */
export type HistoryMode = "off" | "trail" | "full";
export const historyModes: readonly HistoryMode[] = ["off", "trail", "full"];

/** In the order of their stored numbers, from 1. */
export const changeKinds = [
  "create",
  "update",
  "delete",
  "publish",
  "unpublish",
  "restore",
  "undo",
  "collection",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const doors = [
  "api",
  "session",
  "mcp",
  "cli",
  "automation",
  "extension",
  "import",
  "sync",
  "schedule",
  "undo",
] as const;
/** The way by which a write came. */
export type Door = (typeof doors)[number];

/** Who wrote, and by which way. Names are of the time of the first write. */
export interface ChangeAuthor {
  writer: string;
  /** `user:ada`, `key:…`, `token:ada:{client}`, `system`, `anonymous`, `form:…`, `extension:…`. */
  actor: string;
  user?: string;
  /** The admin who acted as this user. */
  impersonator?: string;
  client?: { id: string; name: string };
  grant?: string;
  key?: { id: string; name: string };
  automation?: string;
  door: Door;
  /** Of an import, a sync, an undo or the deletion of a collection: all its changes have the same. */
  run?: string;
}

export interface ChangeEntry {
  change: string;
  at: string;
  collection: string;
  id: string;
  kind: ChangeKind;
  /** The names of the properties that differ; of an update alone. */
  properties: string[];
  rev: number;
  by?: ChangeAuthor;
  note?: string;
  /** The values that it replaced are kept. */
  hasContent: boolean;
}

/** One property that differs between two versions. */
export interface ChangedProperty {
  property: string;
  label: string;
  from: Json | null;
  to: Json | null;
}

/** Who last changed a property; `before`: nobody since the log began. */
export type PropertyOrigin = { change: string; at: string; by: ChangeAuthor } | { before: string };

/** An object in the trash. */
export interface TrashEntry {
  change: string;
  collection: string;
  id: string;
  title: string;
  deleted: string;
  by: ChangeAuthor;
  /** When it is gone for good. */
  until: string;
}

/** How long a note may be. */
export const maxNote = 500;

/** The `history` of a collection's settings, as an object. */
export interface HistorySettings extends JsonObject {
  mode: HistoryMode;
}

/** What the writes are found by. */
export const undoMarks = ["grant", "client", "key", "user", "automation", "extension", "import", "writer"] as const;
export type UndoMark = (typeof undoMarks)[number];

export interface UndoRequest {
  /** One of them. `import`: the id of its job, or the run of a sync or an undo. */
  by: { [mark in UndoMark]?: string };
  /** Times, or durations before now. */
  since?: string;
  until?: string;
  collections?: string[];
  limit?: number;
  offset?: number;
  /** The plan of the preview: it is carried out. */
  apply?: string;
  /** `{collection}/{id}` of objects that are deleted although others have edited them. */
  force?: string[];
}

/** `keep`: nothing of the object is undone. */
export type UndoAction = "revert" | "delete" | "restore" | "keep";

/**
 * `clean`: comes back. `superseded`: somebody else changed it later, and it stays. `lost`: the old value is not kept.
 * `conflict`: belongs to an object that the selection made and others have edited.
 */
export type UndoStatus = "clean" | "superseded" | "lost" | "conflict";

export interface UndoProperty {
  name: string;
  /** As it is, and as it will be; left out where the caller may not see them. Null: it is absent. */
  from?: Json;
  to?: Json;
  status: UndoStatus;
  /** Of a superseded one: the one who changed it last; left out where that is not known. */
  by?: ChangeAuthor;
}

/**
 * `edited`: made by the selection and edited by others. `taken`: the id belongs to another object. `lost`: the content of the
 * deleted object is not kept. `invalid`: the result does not fit the schema. `missing`: the collection is gone. `forbidden`: the
 * caller may not make this change.
 */
export type UndoConflict = "edited" | "taken" | "lost" | "invalid" | "missing" | "forbidden";

export interface UndoItem {
  collection: string;
  id: string;
  action: UndoAction;
  properties: UndoProperty[];
  conflict?: UndoConflict;
  /** Of the conflict `invalid`: messages by property. */
  details?: { [property: string]: string[] };
}

export interface UndoSummary {
  objects: number;
  reverted: number;
  deleted: number;
  restored: number;
  /** Properties. */
  superseded: number;
  /** Objects. */
  conflicts: number;
  /** Properties and objects. */
  lost: number;
}

export interface UndoPreview {
  plan: string;
  summary: UndoSummary;
  items: UndoItem[];
}

/** The result of the job. */
export interface UndoResult {
  reverted: number;
  deleted: number;
  restored: number;
  /** The writer of these changes: undoing it brings back the state before. */
  writer: string;
  /** Objects that changed after the preview: they were planned again. */
  moved: string[];
  /** Files that are not kept any more, as `{collection}/{id}/{path}`. */
  lost: string[];
  failed: { collection: string; id: string; message: string; details?: { [property: string]: string[] } }[];
}
