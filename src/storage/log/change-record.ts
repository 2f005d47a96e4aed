// What the log keeps of a write. Every write of an object takes a record, or says that none is kept.

import { type ChangeKind, changeKinds } from "#contract/history.ts";

export interface ChangeRecord {
  /** Milliseconds. */
  at: number;
  kind: ChangeKind;
  flags: number;
  /** The number of the writer (writers.ts). */
  writer: number;
  note: string | null;
  /** JSON text: the names that differ. */
  props: string | null;
  /** JSON text: the values that were replaced. */
  content: string | null;
}

/** Undefined: the write is not recorded. */
export type Recorded = ChangeRecord | undefined;

/** Of a deletion: what was there is taken from the row itself. */
export type DeletionRecord = Pick<ChangeRecord, "at" | "writer" | "note"> & { keepsContent: boolean };

/** Drafts are hidden from the public. */
export const hiddenBefore = 1;
export const hiddenAfter = 2;

/** Documents above this length are not kept when they are deleted, nor the old values of an update. */
export const maxContent = 4 * 1024 * 1024;

export function kindNumber(kind: ChangeKind): number {
  return changeKinds.indexOf(kind) + 1;
}

export function kindOf(number: number): ChangeKind {
  return changeKinds[number - 1] ?? "update";
}

/** They differ in nothing but their objects, as those of one import do. */
export function areAlike(records: readonly ChangeRecord[]): boolean {
  const first = records[0];
  if (first === undefined) return false;
  const { at, kind, flags, writer, note, props, content } = first;
  return records.every(
    (each) =>
      each === first ||
      (each.at === at &&
        each.kind === kind &&
        each.flags === flags &&
        each.writer === writer &&
        each.note === note &&
        each.props === props &&
        each.content === content),
  );
}

export interface ChangedRow {
  rid: number;
  /** After the write. */
  rev: number;
  collection: string;
  id: string;
}
