// Undo on the wire: what somebody wrote, taken back. The preview says what becomes of every object; the same request with the
// name of its plan applies it.

import type { ChangeAuthor } from "./history.ts";
import type { Json } from "./json.ts";

/** What the writes are found by. */
export const undoMarks = ["grant", "client", "key", "user", "automation", "import", "writer"] as const;
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
