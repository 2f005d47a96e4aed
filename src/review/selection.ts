// Selects the changes that an undo is about: those of its writers within a time and some collections. They are read in pages
// by (writer, seq), newest first, and grouped by object.

import { fail } from "#base/errors.ts";
import { createPause } from "#base/event-loop.ts";
import type { App } from "#context.ts";
import { listWriterChanges, type WrittenChange } from "#storage/tables/history/by-writer.ts";
import type { ChangeWithContent } from "#storage/tables/history/changes.ts";
import type { UndoOrder } from "./undo-request.ts";

/** Of one plan. */
export const maxChanges = 50_000;
const pageSize = 1_000;
/** Clocks of several machines may differ, or step back: what is older than this before the time is not looked at. */
const disorderMs = 86_400_000;

/** Which changes are to be undone: enough to tell for each change, also later. */
export interface Selection {
  writers: number[];
  /** The newest change of the preview. Later ones of the same writers are not meant. */
  upTo: number;
  since?: number | undefined;
  until?: number | undefined;
  collections?: string[] | undefined;
}

/** An object that the selection has changed. */
export interface SelectedObject {
  rid: number;
  /** The oldest selected change. */
  first: number;
  /** As it was called at the newest selected change. */
  collection: string;
  id: string;
}

export interface Selected {
  selection: Selection;
  objects: SelectedObject[];
}

export function isSelectedBy({
  writers,
  upTo,
  since,
  until,
  collections,
}: Selection): (change: Pick<ChangeWithContent, "seq" | "at" | "writer" | "collection">) => boolean {
  const known = new Set(writers);
  return ({ seq, at, writer, collection }) =>
    known.has(writer) &&
    seq <= upTo &&
    (since === undefined || at >= since) &&
    (until === undefined || at < until) &&
    (collections === undefined || collections.includes(collection));
}

/** All of them at once, up to the limit. */
export async function selectChanges({ storage }: App, order: UndoOrder, writers: number[]): Promise<Selected> {
  const { since, until, collections } = order;
  const objects = new Map<number, SelectedObject>();
  const pause = createPause();
  const selection: Selection = { writers: [], upTo: Number.MAX_SAFE_INTEGER, since, until, collections };
  let count = 0;
  let upTo = 0;
  for (const writer of writers) {
    const isSelected = isSelectedBy({ ...selection, writers: [writer] });
    let before = Number.MAX_SAFE_INTEGER;
    for (let isDone = false; !isDone; ) {
      const page = await listWriterChanges(storage, writer, { before, limit: pageSize });
      for (const change of page) {
        // The deletion of a collection is no change of an object.
        if (change.rid === 0 || !isSelected({ ...change, writer })) continue;
        count += 1;
        if (count > maxChanges) refuseMany();
        upTo = Math.max(upTo, change.seq);
        addTo(objects, change);
      }
      const newest = page.reduce((latest, { at }) => Math.max(latest, at), 0);
      isDone = page.length < pageSize || (since !== undefined && newest < since - disorderMs);
      before = page.at(-1)?.seq ?? 0;
      await pause();
    }
  }
  return { selection: { ...selection, writers, upTo }, objects: [...objects.values()] };
}

function addTo(objects: Map<number, SelectedObject>, { rid, seq, collection, id }: WrittenChange): void {
  const known = objects.get(rid);
  if (known) known.first = Math.min(known.first, seq);
  else objects.set(rid, { rid, first: seq, collection, id });
}

function refuseMany(): never {
  const problem = `One undo takes back at most ${maxChanges} changes. Name a time or some collections, and undo the rest after it.`;
  fail("invalid", problem, { since: ["narrows the changes"], collections: ["narrow the changes"] });
}
