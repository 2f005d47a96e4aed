// Forms as the API shows them, and what they have rejected: for callers that may read the collection, and change it.

import { isPublishedKey } from "#access/actor.ts";
import { allow, isAllowed } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { fail } from "#base/errors.ts";
import { findCollection, readConfig } from "#content/collections/collection-cache.ts";
import { readForms } from "#content/collections/form-settings.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { ListedForm, RejectedSending, RejectReason } from "#contract/forms.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Tx } from "#storage/port.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import {
  countRejects,
  deleteReject,
  findReject,
  listRejects,
  type RejectRow,
} from "#storage/tables/site/form-rejects.ts";
import type { OpenForm } from "./open-form.ts";
import { store } from "./send-form.ts";

/** Of the collections that the caller may read by a right of its own. */
export async function listForms(ctx: Context): Promise<ListedForm[]> {
  if (ctx.actor.kind === "anonymous") fail("unauthenticated");
  const listed: ListedForm[] = [];
  for (const row of await listCollectionRows(ctx.storage)) {
    const config = row.isDeleting ? undefined : readConfig(ctx, row);
    if (!config || !isAllowed(ctx.actor, "read", ownSubject(row.id))) continue;
    for (const [name, { enabled, access, fields }] of readForms(config)) {
      const rejected = await countRejects(ctx.storage, `${row.id}/${name}`);
      listed.push({ collection: row.id, name, enabled, access, fields, rejected });
    }
  }
  return listed;
}

export interface RejectsAsked {
  limit: number;
  cursor?: string | undefined;
}

/** Newest first. */
export async function listRejected(
  ctx: Context,
  form: { collection: string; name: string },
  { limit, cursor }: RejectsAsked,
): Promise<{ rejected: RejectedSending[]; total: number; next: string | undefined }> {
  const { id } = await getForm(ctx, "read", form);
  const rows = await listRejects(ctx.storage, id, { before: readCursor(cursor), limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last ? `${last.created}_${last.id}` : undefined;
  return { rejected: page.map(present), total: await countRejects(ctx.storage, id), next };
}

function readCursor(cursor: string | undefined): { created: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [created = "", id = ""] = cursor.split("_");
  if (!/^\d{4}-[\d:.TZ-]+$/.test(created) || !/^[\w-]+$/.test(id))
    fail("invalid", "cursor is not one that was given for this list.", { cursor: ["is not valid"] });
  return { created, id };
}

/** Stored as if it had passed; a second call finds it gone. */
export async function acceptRejected(
  ctx: Context,
  form: { collection: string; name: string },
  rejectId: string,
): Promise<{ id: string }> {
  const open = await getForm(ctx, "update", form);
  allow(ctx, "create", ownSubject(form.collection));
  const missing = () => fail("not-found", "There is no such rejected sending.");
  const row = await findReject(ctx.storage, rejectId);
  if (row?.form !== open.id) return missing();
  const first = async (tx: Tx) => {
    if (!(await deleteReject(tx, row))) missing();
  };
  const values = JSON.parse(row.content) as JsonObject;
  const id = await store(ctx, open, { values, files: [], address: ctx.origin?.address ?? "", first });
  audit(ctx, { type: "form.accepted", details: { form: open.id, object: id } });
  return { id };
}

async function getForm(
  ctx: Context,
  operation: Operation,
  { collection: collectionId, name }: { collection: string; name: string },
): Promise<OpenForm> {
  await openCollection(ctx, operation, collectionId);
  // What was rejected is not published.
  if (isPublishedKey(ctx.actor)) fail("invalid-key");
  // What the public may do counts for nothing here.
  allow(ctx, operation, ownSubject(collectionId));
  const collection = await findCollection(ctx, collectionId);
  const definition = collection && readForms(collection.settings).get(name);
  if (!definition) fail("not-found", `There is no form "${name.slice(0, 100)}".`);
  return { id: `${collectionId}/${name}`, name, collection, definition };
}

function ownSubject(collection: string): Parameters<typeof isAllowed>[2] {
  return { kind: "objects", collection, publicOperations: [] };
}

function present({ id, reason, content, created }: RejectRow): RejectedSending {
  return { id, reason: reason as RejectReason, values: JSON.parse(content) as JsonObject, created };
}
