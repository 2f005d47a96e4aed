// One object of a bulk change. Each object is a write of its own, with all rules of the single operation.

import { CairnError, errorCatalogue } from "#base/errors.ts";
import { deleteObject, patchObject } from "#content/objects/objects.ts";
import type { Context } from "#context.ts";
import type { BulkFailure, BulkRequest } from "#contract/admin.ts";
import type { Operation } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Tx } from "#storage/port.ts";

/** Objects that are changed at the same time: their writes share commits. */
export const bulkWidth = 8;

const maxMessage = 300;
const maxDetails = 10;

export interface BulkWork {
  collection: string;
  operation: BulkRequest["operation"];
  /** Of a patch. */
  body: JsonObject;
}

/** The right that each object takes. */
export const neededFor: Record<BulkRequest["operation"], Operation> = { patch: "update", delete: "delete" };

export async function changeOne(
  ctx: Context,
  { collection, operation, body }: BulkWork,
  id: string,
  within?: (tx: Tx) => Promise<void>,
): Promise<void> {
  if (operation === "delete") await deleteObject(ctx, collection, id, { within });
  else await patchObject(ctx, collection, id, { body, within });
}

/** Cut short: a report holds many of them. */
export function failureOf({ log }: Pick<Context, "log">, id: string, error: unknown): BulkFailure {
  if (!(error instanceof CairnError)) {
    log.error({ err: error, id }, "an object of a bulk change failed");
    return { id, message: errorCatalogue.internal.message };
  }
  const short = (text: string) => text.slice(0, maxMessage);
  const details = Object.entries(error.details ?? {}).slice(0, maxDetails);
  return {
    id,
    message: short(error.message),
    ...(error.details && { details: Object.fromEntries(details.map(([name, texts]) => [name, texts.map(short)])) }),
  };
}
