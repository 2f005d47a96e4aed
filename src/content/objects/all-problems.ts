// What else is wrong with an object that was refused, so that callers learn of all of it at once: values that are taken, and what rules
// find by looking at other objects. Only reads, and only once something is refused.

import { CairnError } from "#base/errors.ts";
import { isStranger } from "#content/collections/open-collection.ts";
import { findRuleProblems } from "#content/write-rules.ts";
import type { JsonObject } from "#contract/json.ts";
import { InvalidDocument } from "#schemas/build.ts";
import type { Reader } from "#storage/port.ts";
import { findTaken } from "./unique.ts";
import type { WriteWork } from "./write-work.ts";

/** The error to answer instead. Strangers learn nothing about other objects. `before`: of a change. */
export async function withStoredProblems(
  { ctx, collection }: Pick<WriteWork, "ctx" | "collection">,
  db: Reader,
  error: unknown,
  before?: JsonObject,
): Promise<unknown> {
  if (!(error instanceof InvalidDocument) || isStranger(ctx, collection.id)) return error;
  const { document, details = {} } = error;
  const taken = await findTaken(ctx, db, collection, document);
  const found = await findRuleProblems(ctx, db, collection.id, { document, before });
  return new CairnError(error.word, undefined, { ...found, ...taken, ...details });
}

/** `error` says what is wrong with the sent values; `attempt` is the rest of the write, and leaves nothing behind. */
export async function withLaterProblems(error: unknown, attempt: () => Promise<unknown>): Promise<unknown> {
  if (!isValidation(error)) return error;
  const later = await attempt().then(
    () => undefined,
    (thrown) => thrown,
  );
  return isValidation(later) ? new CairnError(error.word, undefined, { ...later.details, ...error.details }) : error;
}

function isValidation(error: unknown): error is CairnError {
  return error instanceof CairnError && error.word === "validation-failed";
}
