// Values and ids that only one object of a collection may have.

import { CairnError, type ErrorDetails, fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { isStranger, refuseStranger } from "#content/collections/open-collection.ts";
import { hasCollectionRules } from "#content/write-rules.ts";
import type { App, Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Property } from "#schemas/types.ts";
import { type Reader, type Tx, UniqueViolation } from "#storage/port.ts";
import { noteUnique } from "#storage/query/indexes.ts";
import { findByValue } from "#storage/tables/objects.ts";

/**
 * Whether a write looks at other objects: unique values, the next number, rules such as the last administrator. The lock
 * makes writers of the collection wait for each other. Without such a need no writer waits.
 */
export function needsCollectionLock(app: Pick<App, "rules">, { id, schema }: Collection): boolean {
  return schema.hasUnique || schema.isNumbered || hasCollectionRules(app, id);
}

export async function checkUnique(
  ctx: Pick<Context, "storage" | "actor">,
  tx: Tx,
  collection: Collection,
  document: JsonObject,
): Promise<void> {
  const details = await findTaken(ctx, tx, collection, document);
  if (Object.keys(details).length === 0) return;
  if (isStranger(ctx, collection.id)) refuseStranger();
  fail("validation-failed", undefined, details);
}

/** Messages by property whose value another object has. */
export async function findTaken(
  ctx: Pick<Context, "storage">,
  db: Reader,
  collection: Collection,
  document: JsonObject,
): Promise<ErrorDetails> {
  const details: ErrorDetails = {};
  if (!collection.schema.hasUnique) return details;
  for (const { property, value } of uniqueValues(collection, document)) {
    const { id, schema } = collection;
    const former = schema.isMoving ? property.formerly : [];
    const where = { collection: id, property: property.name, former, exceptId: String(document.id) };
    if (property.kind.comparison) noteUnique(ctx.storage, collection.id, property.name, property.kind.comparison);
    if ((await findByValue(db, where, value)) === undefined) continue;
    details[property.name] = [notUnique(property, value)];
  }
  return details;
}

/** The values of a document that no other object of the collection may have. */
export function uniqueValues({ schema }: Collection, document: JsonObject): { property: Property; value: Scalar }[] {
  return [...schema.properties.values()].flatMap((property) => {
    const value = document[property.name];
    const counts = property.isUnique && property.name !== "id" && isScalar(value) && value !== "";
    return counts ? [{ property, value }] : [];
  });
}

export function notUnique({ label }: Property, value: Scalar): string {
  return `${label} must be unique. The value '${value}' already exists in this collection.`;
}

type Scalar = string | number | boolean;

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Two writers may choose the same id at the same moment: the second one is rolled back, and tries again. */
export async function retryOnTakenId<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      if (tries === 5) throw new CairnError("exists");
    }
  }
}
