// Announces schemas that were saved or deleted: every process reads them again, and webhooks and automations get their
// jobs. A digest of each file is noted in the same transaction. So a file that an editor or git changed is announced once,
// by whichever process sees it first, and also when it changed while no server ran.

import { hash } from "node:crypto";
import { system } from "#access/actor.ts";
import { audit } from "#access/audit.ts";
import { react } from "#content/collection-hooks.ts";
import { withSchemasLock } from "#content/locks.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { isBuiltIn } from "#schemas/find-schema.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import { invalidate } from "#storage/invalidate.ts";
import type { Reader, Tx } from "#storage/port.ts";
import {
  deleteSchemaDigests,
  findSchemaDigests,
  noteSchemaFolder,
  putSchemaDigests,
} from "#storage/tables/schema-digests.ts";
import { scheduleReindex } from "./reindex.ts";

/** For callers that hold the lock of the schemas, after the files are written. */
export async function announceSchemasIn(ctx: Context, tx: Tx, ids: readonly string[]): Promise<void> {
  const saved = digestsOf(ctx, ids);
  const deleted = ids.filter((id) => !saved.has(id));
  await putSchemaDigests(tx, saved);
  await deleteSchemaDigests(tx, deleted);
  await invalidate(tx, "schemas", ctx.clock.iso());
  for (const schema of saved.keys()) await react(ctx, tx, { type: "schema.saved", schema });
  for (const schema of deleted) await react(ctx, tx, { type: "schema.deleted", schema });
}

/**
 * Announces files that change by other means than the operations on schemas. The returned function ends that, once the
 * announcement that is under way is stored.
 */
export function followSchemaFiles(app: App): () => Promise<void> {
  let isStopped = false;
  let announced = Promise.resolve();
  const follow = (): void => {
    announced = announced
      .then(() => (isStopped ? undefined : announceChangedFiles(app)))
      .catch((error) => app.log.error({ err: error }, "schema files could not be announced"));
  };
  const changed = (): void => {
    if (!app.storage.isReadOnly) follow();
    scheduleReindex(app).catch((error) => app.log.error({ err: error }, "indexes could not be brought up to date"));
  };
  // A request may be the one that meets the changed file.
  app.schemaFiles.onChange(() => unclaimed(changed));
  if (!app.storage.isReadOnly) follow();
  return () => {
    isStopped = true;
    return announced;
  };
}

async function announceChangedFiles(app: App): Promise<void> {
  if ((await changedFiles(app, app.storage)).length === 0) return;
  // Other processes announce what they save before they release the lock.
  await withSchemasLock(app, async () => {
    const ctx = contextFor(app, system);
    const announced = await app.storage.write(async (tx) => {
      if (!(await findSchemaDigests(tx))) {
        await noteSchemaFolder(tx, digestsOf(app, app.schemaFiles.ids()));
        return [];
      }
      const changed = await changedFiles(app, tx);
      if (changed.length > 0) await announceSchemasIn(ctx, tx, changed);
      return changed;
    });
    for (const schema of announced) {
      const type = app.schemaFiles.find(schema) ? "schema.saved" : "schema.deleted";
      audit(ctx, { type, details: { schema, by: "file" } });
    }
  });
}

/** The ids of files whose content differs from what was announced. All of them when nothing was noted yet. */
async function changedFiles(app: App, db: Reader): Promise<string[]> {
  const noted = await findSchemaDigests(db);
  const present = digestsOf(app, app.schemaFiles.ids());
  if (!noted) return [...present.keys(), ""];
  // A file that cannot be read is not a deleted one.
  const unreadable = new Set(app.schemaFiles.broken().map(({ id }) => id));
  const deleted = [...noted.keys()].filter((id) => !present.has(id) && !unreadable.has(id));
  return [...[...present].filter(([id, digest]) => noted.get(id) !== digest).map(([id]) => id), ...deleted];
}

/** Files in the place of a built-in schema are ignored. */
function digestsOf({ schemaFiles }: Pick<App, "schemaFiles">, ids: readonly string[]): Map<string, string> {
  const digests = new Map<string, string>();
  for (const id of ids) {
    const content = isBuiltIn(id) ? undefined : schemaFiles.find(id);
    if (content) digests.set(id, hash("sha256", JSON.stringify(content), "base64url"));
  }
  return digests;
}
