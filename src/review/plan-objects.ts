// Plans many objects: those of one reading together (two statements for all of them), what is large or moves alone.

import { createPause } from "#base/event-loop.ts";
import { inParallel, slices } from "#base/in-parallel.ts";
import type { Context } from "#context.ts";
import { findObjectsWithChanges, readAtOnce } from "#storage/tables/history/objects-with-changes.ts";
import { type IsSelected, type PlannedObject, planObject, planRead, type Wanted } from "./plan-object.ts";

/** Readings at the same time: one is judged while the database answers the others. */
const atOnce = 4;

export interface Planning<T extends Wanted> {
  isSelected: IsSelected;
  /** At once, in no order. Undefined: there is nothing to undo. */
  found(planned: PlannedObject | undefined, object: T): void;
}

export async function planObjects<T extends Wanted>(
  ctx: Context,
  objects: readonly T[],
  { isSelected, found }: Planning<T>,
): Promise<void> {
  // Those that changed at about the same time: the changes of one reading are found from the oldest on.
  const ordered = objects.toSorted((one, other) => one.first - other.first);
  const pause = createPause();
  await inParallel(slices(ordered, readAtOnce), atOnce, async (slice) => {
    const reads = await findObjectsWithChanges(ctx.storage, slice);
    for (const object of slice) {
      await pause();
      const read = reads.get(object.rid);
      const planned = read ? await planRead(ctx, { object, read }, isSelected) : "moved";
      found(planned === "moved" ? await planObject(ctx, object, isSelected) : planned, object);
    }
  });
}
