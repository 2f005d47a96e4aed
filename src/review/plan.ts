// The plan of a whole undo: of every object that the selection has changed. It keeps names and statuses; values are read for
// the page that is shown. `plan` names it: a hash over what would be done to which version of which object.

import { createHash } from "node:crypto";
import { slices } from "#base/in-parallel.ts";
import { authorsOf } from "#content/history/entries.ts";
import { mayFollow } from "#content/history/feed.ts";
import { catchUp } from "#content/read-barrier.ts";
import type { Context } from "#context.ts";
import type { ChangeAuthor, UndoItem, UndoProperty, UndoSummary } from "#contract/history.ts";
import type { Storage } from "#storage/port.ts";
import { listNumbers, readAtOnce } from "#storage/tables/history/objects-with-changes.ts";
import type { PlannedObject, PlannedProperty } from "./plan-object.ts";
import { planObjects } from "./plan-objects.ts";
import { isSelectedBy, type Selected, selectChanges } from "./selection.ts";
import { findUndoWriters, type UndoOrder } from "./undo-request.ts";

export interface Plan {
  name: string;
  selected: Selected;
  /** In the order of keys; of one key deletions first. Without values. */
  objects: PlannedObject[];
  summary: UndoSummary;
}

export async function makePlan(ctx: Context, order: UndoOrder): Promise<Plan> {
  const heard = catchUp(ctx);
  if (heard !== undefined) await heard;
  const writers = await findUndoWriters(ctx, order);
  const selected = await selectChanges(ctx, order, writers);
  const isSelected = isSelectedBy(selected.selection);
  const objects: PlannedObject[] = [];
  await planObjects(ctx, selected.objects, {
    isSelected,
    found(planned) {
      if (planned) objects.push(withoutValues(planned));
    },
  });
  objects.sort(byKey);
  await findTaken(ctx, objects);
  return { name: nameOfPlan(objects), selected, objects, summary: summaryOf(objects) };
}

function withoutValues({ properties, ...planned }: PlannedObject): PlannedObject {
  const bare = properties.map(({ name, status, by }) => ({ name, status, by, from: undefined, to: undefined }));
  return { ...planned, properties: bare };
}

/** Of one key the deletion comes first: what it frees may be restored. */
function byKey(one: PlannedObject, other: PlannedObject): number {
  const [a, b] = [keyOf(one), keyOf(other)];
  if (a !== b) return a < b ? -1 : 1;
  return phaseOf(one) - phaseOf(other) || one.rid - other.rid;
}

export function keyOf({ collection, id }: Pick<PlannedObject, "collection" | "id">): string {
  return `${collection}/${id}`;
}

export function phaseOf({ action }: Pick<PlannedObject, "action">): number {
  return action === "delete" ? 0 : 1;
}

/** An id that belongs to another object, unless the same plan deletes that one. */
async function findTaken({ storage }: Context, objects: PlannedObject[]): Promise<void> {
  const freed = new Set(objects.filter(({ action }) => action === "delete").map(({ rid }) => rid));
  const claimed = new Set<string>();
  const restored = objects.filter(({ action }) => action === "restore");
  const holders = await findHolders(storage, restored);
  // Of several of one id the last one comes back.
  for (const object of restored.toReversed()) {
    const holder = holders.get(keyOf(object));
    const isTaken = (holder !== undefined && !freed.has(holder)) || claimed.has(keyOf(object));
    claimed.add(keyOf(object));
    if (isTaken) Object.assign(object, { action: "keep", conflict: "taken" });
  }
}

/** The numbers of the objects that have the ids of these, by key. */
async function findHolders(storage: Storage, objects: readonly PlannedObject[]): Promise<Map<string, number>> {
  const holders = new Map<string, number>();
  for (const [collection, own] of Map.groupBy(objects, (object) => object.collection)) {
    for (const slice of slices(
      own.map(({ id }) => id),
      readAtOnce,
    ))
      for (const { id, rid } of await listNumbers(storage, collection, slice))
        holders.set(keyOf({ collection, id }), rid);
  }
  return holders;
}

function nameOfPlan(objects: readonly PlannedObject[]): string {
  const hash = createHash("sha256");
  for (const { rid, rev, action, conflict = "", properties } of objects) {
    const parts = properties.map(({ name, status }) => `${name}:${status}`);
    hash.update(`${rid} ${rev} ${action} ${conflict} ${parts.join(",")}\n`);
  }
  return hash.digest("base64url");
}

function summaryOf(objects: readonly PlannedObject[]): UndoSummary {
  const sum = { objects: objects.length, reverted: 0, deleted: 0, restored: 0, superseded: 0, conflicts: 0, lost: 0 };
  for (const { action, conflict, properties } of objects) {
    if (action === "revert") sum.reverted += 1;
    if (action === "delete") sum.deleted += 1;
    if (action === "restore") sum.restored += 1;
    if (conflict) sum.conflicts += 1;
    if (conflict === "lost") sum.lost += 1;
    for (const { status } of properties) {
      if (status === "superseded") sum.superseded += 1;
      if (status === "lost") sum.lost += 1;
    }
  }
  return sum;
}

/** A page of the plan with its values, as it is answered: conflicts first. */
export async function showItems(ctx: Context, plan: Plan, { limit, offset }: UndoOrder): Promise<UndoItem[]> {
  const hasConflict = ({ conflict }: PlannedObject) => conflict !== undefined;
  const ordered = [...plan.objects.filter(hasConflict), ...plan.objects.filter((object) => !hasConflict(object))];
  const page = ordered.slice(offset, offset + limit);
  const isSelected = isSelectedBy(plan.selected.selection);
  const values = new Map<PlannedObject, PlannedProperty[]>();
  await planObjects(
    ctx,
    page.filter(({ isVisible }) => isVisible),
    {
      isSelected,
      found(now, object) {
        if (now?.rev === object.rev) values.set(object, now.properties);
      },
    },
  );
  const valued = page.map((object) => ({ ...object, properties: values.get(object) ?? object.properties }));
  const later = valued.flatMap(({ properties }) =>
    properties.flatMap(({ by }) => (by === undefined ? [] : { writer: by })),
  );
  const authors = await authorsOf(ctx.storage, later);
  return valued.map((object) => showItem(object, mayFollow(ctx.actor, object.collection) ? authors : nobody));
}

/** Where the caller may not know who wrote. */
const nobody: ReadonlyMap<number, ChangeAuthor> = new Map();

function showItem(object: PlannedObject, authors: ReadonlyMap<number, ChangeAuthor>): UndoItem {
  const { collection, id, action, properties, conflict, details, isVisible } = object;
  return {
    ...{ collection, id, action },
    properties: properties.map((property) => showProperty(property, isVisible, authors)),
    ...(conflict && { conflict }),
    ...(details && isVisible && { details }),
  };
}

function showProperty(
  { name, status, from, to, by }: PlannedProperty,
  isVisible: boolean,
  authors: ReadonlyMap<number, ChangeAuthor>,
): UndoProperty {
  const author = by === undefined ? undefined : authors.get(by);
  return { name, ...(isVisible && { from: from ?? null, to: to ?? null }), status, ...(author && { by: author }) };
}
