// Rows of objects as the present schema shows them, and the tags of their versions.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { checkTag } from "#content/preconditions.ts";
import type { App } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { moveFormerSecrets } from "#schemas/former-names.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { presentDocument } from "#schemas/present.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { withFormerPlaces } from "#schemas/values/former-places.ts";
import type { Reader, Tx } from "#storage/port.ts";
import type { LockedObject, ObjectRow, ObjectSecrets } from "#storage/tables/object-row.ts";
import { findSecrets, lockObject, type StoredText } from "#storage/tables/objects.ts";

type Parts = Pick<App, "settings">;

/** As the present schema shows it. */
export function storedDocument(app: Parts, schema: FlatSchema, row: StoredText): JsonObject {
  const stored = findStored(row) ?? damaged();
  if (row.schemaRev === schema.rev) return stored;
  const [created, modified] = [String(stored.created), String(stored.modified)];
  return presentDocument(schema, withFormerPlaces(schema, stored), { created, modified, htmlclean: htmlclean(app) });
}

/** By the present names of properties: until an object is rewritten, its passwords are stored under former ones. */
export async function findPresentSecrets(
  db: Reader,
  { id: collection, schema }: Pick<Collection, "id" | "schema">,
  id: string,
): Promise<ObjectSecrets | undefined> {
  const secrets = await findSecrets(db, collection, id);
  return secrets && moveFormerSecrets(schema, secrets);
}

/** The same for a write that replaces or removes it: a damaged document counts as empty and does not get in the way. */
export function replacedDocument(app: Parts, schema: FlatSchema, row: StoredText): JsonObject {
  return findStored(row) ? storedDocument(app, schema, row) : {};
}

/** The stored text when it was written under the present schema, else the document as that schema shows it. */
export function documentText(app: Parts, schema: FlatSchema, row: StoredText): string {
  return row.schemaRev === schema.rev ? row.doc : JSON.stringify(storedDocument(app, schema, row));
}

function findStored({ doc }: Pick<StoredText, "doc">): JsonObject | undefined {
  try {
    return JSON.parse(doc) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Not the caller's fault; the object can be replaced, deleted, or restored from a backup. */
export function damaged(): never {
  fail("internal", "The stored object is damaged: it can be replaced or deleted.");
}

/** A draft is a row whose document says so; the text is searched first, because most are not. */
export function isDraft(row: Pick<ObjectRow, "doc">): boolean {
  return row.doc.includes('"draft":true') && findStored(row)?.draft === true;
}

/** Strong: names the stored version and the schema it is shown under. */
export function etagOf(row: Pick<ObjectRow, "rid" | "rev">, schema: FlatSchema): string {
  return `"${row.rid}-${row.rev}-${schema.rev}"`;
}

export function checkIfMatch(
  ifMatch: string | undefined,
  row: Pick<ObjectRow, "rid" | "rev">,
  schema: FlatSchema,
): void {
  if (ifMatch !== undefined) checkTag(ifMatch.replaceAll(expandedSuffix, '"'), etagOf(row, schema));
}

/** An answer with other objects in it has a tag of its own, which begins with that of the object. */
const expandedSuffix = /~[\w-]+"/g;

export async function lockExisting(tx: Tx, collection: string, id: string): Promise<LockedObject> {
  return (await lockObject(tx, collection, id)) ?? noObject(collection, id);
}

export function noObject(collection: string, id: string): never {
  fail("not-found", `There is no object "${id}" in the collection "${collection}".`);
}
