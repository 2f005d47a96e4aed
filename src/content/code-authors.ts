// The author of code that objects hold and the service runs later: the caller that last saved it. It is noted in the
// transaction of each write, by whichever door, and bound to the text: other code never runs in that name.

import { hash } from "node:crypto";
import { type Author, carriesCode, isLimitedKey } from "#access/actor.ts";
import { fail } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { CairnEvent } from "#jobs/reactions.ts";
import type { Tx } from "#storage/port.ts";
import { deleteCodeAuthor, deleteCodeAuthors, findCodeAuthor, putCodeAuthor } from "#storage/tables/code-authors.ts";
import { findDocument } from "#storage/tables/objects.ts";
import { authorOf } from "./on-behalf.ts";
import { codeProperties } from "./write-rules.ts";

/** `isSaved`: whether the code was sent; absent where only a comparison with the saved code can tell. */
export function noteAuthor(ctx: Context, tx: Tx, event: CairnEvent, isSaved?: boolean): Promise<void> | undefined {
  if (!("collection" in event) || !codeProperties(ctx, event.collection)) return undefined;
  const { type, collection } = event;
  if (type === "collection.deleted") return deleteCodeAuthors(tx, collection);
  if (!("id" in event)) return undefined;
  if (type === "object.deleted") return deleteCodeAuthor(tx, collection, event.id);
  const isNew = type === "object.created" || type === "import.created";
  return note(ctx, tx, event, isNew || isSaved);
}

async function note(
  ctx: Context,
  tx: Tx,
  { collection, id }: { collection: string; id: string },
  isSaved: boolean | undefined,
): Promise<void> {
  if (isSaved === false) return;
  const properties = codeProperties(ctx, collection) ?? [];
  if (isLimitedKey(ctx.actor) && !carriesCode(ctx.actor)) refuseLimited(properties);
  const row = await findDocument(tx, collection, id);
  if (!row) return;
  const digest = digestOf(properties, JSON.parse(row.doc) as JsonObject);
  if (isSaved === undefined && (await findCodeAuthor(tx, collection, id))?.digest === digest) return;
  await putCodeAuthor(tx, collection, id, { digest, author: JSON.stringify(authorOf(ctx)) });
}

function refuseLimited(properties: readonly string[]): never {
  const details = Object.fromEntries(properties.map((name) => [name, ["may not be written by a limited key"]]));
  const message = `A key with limited endpoints may not write ${properties.join(" or ")}: use a key with the endpoint *.`;
  fail("forbidden", message, details);
}

/** Undefined: the author of this code is not known. */
export async function findAuthor(
  app: Pick<App, "rules" | "storage">,
  { collection, id, document }: { collection: string; id: string; document: JsonObject },
): Promise<Author | undefined> {
  const row = await findCodeAuthor(app.storage, collection, id);
  const digest = digestOf(codeProperties(app, collection) ?? [], document);
  return row?.digest === digest ? (JSON.parse(row.author) as Author) : undefined;
}

/** The first property holds the text. */
function digestOf([name = ""]: readonly string[], document: JsonObject): string {
  return hash("sha256", JSON.stringify(document[name] ?? null), "base64url");
}
