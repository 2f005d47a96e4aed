// What a change of an object is, from the request to the rules that limit it. Types alone.

import type { Collection } from "#content/collections/collection.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { JsonObject } from "#contract/json.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Tx } from "#storage/port.ts";
import type { LockedObject, ObjectSecrets } from "#storage/tables/object-row.ts";

export interface ObjectTarget extends Precondition {
  collection: Collection;
  id: string;
}

/** What is stored of an object. */
export interface ObjectState {
  document: JsonObject;
  secrets: ObjectSecrets;
}

export interface Change {
  /** The whole object as it shall be, before coercion. */
  input: JsonObject;
  /** Only these were sent; absent: all of it was. */
  changed?: ReadonlySet<string>;
  /** The stored passwords at or below this path are dropped. */
  forget?: string;
  /** The stored password of this path alone is dropped. */
  unlock?: string;
  /** Files and folders that go to another path, each with its own: the stored passwords go with them. */
  moved?: ReadonlyMap<string, string>;
  /** Made by the service itself, which knows that the files in it are there. */
  isOwn?: true;
  /** Its values are those of an older version: files come back with them. */
  isReturn?: true;
}

/** From what is stored to what shall be. */
export interface ChangeStep {
  /** What the caller sent: its passwords are hashed before the transaction begins, its times count where it is trusted. */
  sent: JsonObject;
  /** May fail(). Runs inside the transaction, so it only computes. */
  change(current: JsonObject, schema: FlatSchema): Change;
  /** Nothing of what is stored shall stay, so that it need not be readable. */
  isWhole?: true;
}

export interface ChangePlan extends ChangeStep {
  /** Fields of the body that are not part of the object, for the rules of its collection. */
  asides?: JsonObject | undefined;
  /** The caller has the lock of the object's files. */
  hasFilesLock?: boolean;
  /** Nothing is stored: the answer is what the object would be. */
  isTrial?: boolean;
  /** What must be so, or happen, together with the change; may fail(). */
  within?(tx: Tx, row: LockedObject): Promise<void>;
}
