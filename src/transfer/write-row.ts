// One row of an import inside its transaction: written like a single object, counted and announced with the others.

import { CairnError, fail } from "#base/errors.ts";
import { seesDrafts } from "#content/collections/open-collection.ts";
import { changeObjectIn } from "#content/objects/change-object.ts";
import { hasId } from "#content/objects/choose-id.ts";
import { createObjectIn } from "#content/objects/insert-objects.ts";
import { isDraft } from "#content/objects/stored-document.ts";
import type { ChangeWork, Written } from "#content/objects/write-work.ts";
import type { JsonObject } from "#contract/json.ts";
import { proposeId } from "#schemas/build.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Tx } from "#storage/port.ts";
import { lockObject } from "#storage/tables/objects.ts";
import type { ReadyRow } from "./prepare-rows.ts";

type Row = Omit<ReadyRow, "row">;

/** Undefined: the row's id is taken. Throws UniqueViolation when it is taken at the same moment. */
export async function createRow(work: ChangeWork, tx: Tx, row: Row): Promise<Written | undefined> {
  if (row.isPassedOver) return undefined;
  try {
    return await createObjectIn(work, tx, row.value, row.ahead);
  } catch (error) {
    if (error instanceof CairnError && error.word === "exists") return undefined;
    throw error;
  }
}

/** Undefined: there is no such object. */
export async function updateRow(
  work: ChangeWork,
  tx: Tx,
  { value: row, rev, isPassedOver }: Row,
): Promise<Written | undefined> {
  const { ctx, collection, now } = work;
  if (isPassedOver) return undefined;
  if (!hasId(row)) {
    fail("invalid", "An update needs the id.", { id: ["The id is missing."] });
  }
  const { id } = proposeId(collection.schema, row, { now, counter: 0 });
  const stored = await lockObject(tx, collection.id, id);
  if (!stored || (!seesDrafts(ctx, "update", collection.id) && isDraft(stored))) return undefined;
  if (rev !== undefined && stored.rev !== rev)
    fail("precondition-failed", "The object was changed while the row was checked. Import the row again.");
  const sent = withoutFiles(collection.schema, row);
  return changeObjectIn(work, tx, stored, {
    sent,
    change: (current) => ({ input: { ...current, ...sent }, changed: new Set(Object.keys(sent)) }),
  });
}

/** An import brings no files, so what it says about them is about those of another installation. */
function withoutFiles({ properties }: FlatSchema, row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !properties.get(name)?.kind.isUploaded));
}
