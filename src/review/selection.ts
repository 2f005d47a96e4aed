// Selects the changes that an undo is about: those of its writers within a time and some collections. They are read by the
// ranges of each writer, newest first, and what is not sealed yet in pages; and grouped by object.

import { fail } from "#base/errors.ts";
import { createPause } from "#base/event-loop.ts";
import type { App } from "#context.ts";
import { placeBefore } from "#storage/log/writer-range.ts";
import type { Storage } from "#storage/port.ts";
import { listAllChanges, listWriterChanges, type WrittenChange } from "#storage/tables/history/by-writer.ts";
import type { ChangeWithContent } from "#storage/tables/history/changes.ts";
import { findNotedPlace, listWriterRanges } from "#storage/tables/history/writer-ranges.ts";
import type { UndoOrder } from "./undo-request.ts";

/** Of one plan. */
export const maxChanges = 50_000;
const pageSize = 1_000;
/** Of one writer, each with as many changes as a seal has at most. */
const rangesAtOnce = 8;
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
  const objects = new Map<number, Found>();
  const selection: Selection = { writers, upTo: Number.MAX_SAFE_INTEGER, since, until, collections };
  const isSelected = isSelectedBy(selection);
  let count = 0;
  let upTo = 0;
  for await (const page of readWritten(storage, writers, since)) {
    for (const change of page) {
      // The deletion of a collection is no change of an object.
      if (change.rid === 0 || !isSelected(change)) continue;
      count += 1;
      if (count > maxChanges) refuseMany();
      upTo = Math.max(upTo, change.seq);
      addTo(objects, change);
    }
  }
  const found = [...objects.values()].map(({ newest: _, ...object }) => object);
  return { selection: { ...selection, upTo }, objects: found };
}

/** The changes of some writers, in no order; what is not sealed yet with those of all others. */
async function* readWritten(
  storage: Storage,
  writers: readonly number[],
  since: number | undefined,
): AsyncGenerator<WrittenChange[]> {
  if (writers.length === 0) return;
  const pause = createPause();
  // What is sealed meanwhile is read after this place, and not in its range.
  const sealed = await findNotedPlace(storage);
  for (let after = sealed, isOver = false; !isOver; ) {
    const page = await listAllChanges(storage, after, pageSize);
    yield page;
    isOver = page.length < pageSize;
    after = page.at(-1) ?? after;
    await pause();
  }
  for (const writer of writers) {
    for (let upTo = sealed, isOver = false; !isOver; ) {
      const ranges = await listWriterRanges(storage, writer, { upTo, limit: rangesAtOnce });
      const wanted = since === undefined ? ranges : ranges.filter(({ newest }) => newest >= since - disorderMs);
      const pages = await Promise.all(wanted.map((range) => listWriterChanges(storage, writer, range)));
      yield pages.flat();
      const last = ranges.at(-1);
      isOver = !last || ranges.length < rangesAtOnce || (since !== undefined && last.newest < since - disorderMs);
      if (last) upTo = placeBefore(last.last);
      await pause();
    }
  }
}

type Found = SelectedObject & { newest: number };

function addTo(objects: Map<number, Found>, { rid, seq, collection, id }: WrittenChange): void {
  const known = objects.get(rid);
  if (!known) return void objects.set(rid, { rid, first: seq, newest: seq, collection, id });
  known.first = Math.min(known.first, seq);
  if (seq > known.newest) Object.assign(known, { newest: seq, collection, id });
}

function refuseMany(): never {
  const problem = `One undo takes back at most ${maxChanges} changes. Name a time or some collections, and undo the rest after it.`;
  fail("invalid", problem, { since: ["narrows the changes"], collections: ["narrow the changes"] });
}
