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
