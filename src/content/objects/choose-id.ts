// The id of a new object: as it was sent, or generated from what was sent.

import { CairnError, fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { isStranger, refuseStranger } from "#content/collections/open-collection.ts";
import type { ObjectKey } from "#content/file-removal.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { proposeId, unguessableId } from "#schemas/build.ts";
import type { Tx } from "#storage/port.ts";
import { hasObject } from "#storage/tables/objects.ts";

export interface NewPlace {
  now: string;
  /** The number that the object will have. */
  counter: number;
  /** How many objects there will be. */
  total: number;
  isByStranger: boolean;
}

/** A sent id must be free; a generated one that is taken gets -2, -3. */
export async function chooseId(tx: Tx, collection: Collection, body: JsonObject, place: NewPlace): Promise<string> {
  const { id: collectionId, schema, settings } = collection;
  if (settings.singleton && place.total === 1) return collectionId;
  checkSingleton(collection, place.total - 1, place.isByStranger);
  const proposed = proposeId(schema, body, place);
  if (!proposed.isGenerated) {
    if (await hasObject(tx, collectionId, proposed.id)) throw takenId({ collection: collectionId, id: proposed.id });
    return proposed.id;
  }
  if (!(await hasObject(tx, collectionId, proposed.id))) return proposed.id;
  const suffix = await findFreeSuffix((number) => hasObject(tx, collectionId, `${proposed.id}-${number}`));
  return `${proposed.id}-${suffix}`;
}

/** A collection that grew beyond one object before the setting was switched on may go on growing. */
export function checkSingleton({ id, settings }: Collection, total: number, isByStranger: boolean): void {
  if (!settings.singleton || total !== 1) return;
  if (isByStranger) refuseStranger();
  fail("exists", `The collection "${id}" is a singleton and already has its object.`);
}

/** From 2 up, in few questions however many are taken: in doubling steps, then back by halves. */
async function findFreeSuffix(isTaken: (number: number) => Promise<boolean>): Promise<number> {
  let taken = 1;
  let free = 2;
  while (await isTaken(free)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}

export function takenId({ collection, id }: ObjectKey): CairnError {
  const message = `Object with id ${id} already exists in ${collection}.`;
  return new CairnError("exists", message, { id: ["This id is taken."] });
}

/** What strangers send for the id is passed over: a refusal would reveal that the id is taken. */
export function replaceStrangersId(ctx: Context, { id, schema }: Collection, body: JsonObject): JsonObject {
  if (!isStranger(ctx, id)) return body;
  const { id: _, ...rest } = body;
  const made = unguessableId(schema, rest, ctx.clock.iso());
  return made === undefined ? rest : { ...rest, id: made };
}

export function hasId({ id }: JsonObject): boolean {
  return id !== undefined && id !== null && id !== "";
}
