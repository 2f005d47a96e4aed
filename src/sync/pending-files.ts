// Writes the files of committed imports: snapshots first, then schemas and templates; then the rows are deleted.
// Runs after each import, before the next one, when a process opens the data, and when a server finds rows that a dead
// process has left.

import { system } from "#access/actor.ts";
import { CairnError } from "#base/errors.ts";
import { announceSchemasIn } from "#content/collections/announce-schemas.ts";
import { scheduleReindex } from "#content/collections/reindex.ts";
import { withSchemasLock } from "#content/locks.ts";
import { type App, contextFor } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { withLease } from "#jobs/leases.ts";
import { replaceTemplate } from "#site/templates.ts";
import { deletePendingFiles, listPendingFiles, type PendingFile } from "#storage/tables/pending-files.ts";
import { keepSnapshots } from "./snapshots/snapshots.ts";

const takenAtOnce = 500;

/**
 * One import at a time in all processes: files follow their rows, and those of two imports must not mix.
 * Schemas are neither saved nor deleted meanwhile.
 */
export function withImportsLock<T>(app: App, work: () => Promise<T>): Promise<T> {
  return withLease(app, "imports", () => withSchemasLock(app, work));
}

export async function finishImports(app: App): Promise<void> {
  const [row] = await listPendingFiles(app.storage, 1);
  if (!row) return;
  await withImportsLock(app, () => writePendingFiles(app));
  await scheduleReindex(app);
}

/** When a process opens the data. Files that cannot be written now stay in their rows. */
export async function resumeImports(app: App): Promise<void> {
  await finishImports(app).catch((error) => {
    app.log.error({ err: error }, "the files of an import could not be written; the next import tries again");
  });
}

const lookEveryMs = 5_000;

/** Finds rows of a command that died after its commit: those that are still present at a second look. */
export function followImports(app: App, everyMs = lookEveryMs): () => void {
  let seen = app.storage.version("pending-files");
  let oldest: number | undefined;
  const look = async (): Promise<void> => {
    const version = app.storage.version("pending-files");
    if (version === seen && oldest === undefined) return;
    seen = version;
    const [row] = await listPendingFiles(app.storage, 1);
    if (row && row.seq === oldest) await resumeImports(app);
    oldest = row?.seq;
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => app.log.error({ err: error }, "the list of pending files could not be read"));
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** For callers that hold the lock. Indexes follow after it is released. */
export async function writePendingFiles(app: App): Promise<void> {
  for (;;) {
    const rows = await listPendingFiles(app.storage, takenAtOnce);
    if (rows.length === 0) break;
    const schemas = contentsOf(rows);
    await writeSnapshots(app, rows);
    if (schemas.size > 0) await app.schemaFiles.putAll(schemas);
    for (const row of rows) if (row.kind === "template") await writeTemplate(app, row);
    await app.storage.write(async (tx) => {
      await deletePendingFiles(
        tx,
        rows.map(({ seq }) => seq),
      );
      if (schemas.size > 0) await announceSchemasIn(contextFor(app, system), tx, [...schemas.keys()]);
    });
  }
}

function contentsOf(rows: readonly PendingFile[]): Map<string, JsonObject> {
  const schemas = rows.filter(({ kind }) => kind === "schema");
  return new Map(schemas.map(({ place, content }) => [place, JSON.parse(content) as JsonObject]));
}

/** Snapshots of one item in order, items side by side. */
async function writeSnapshots(app: App, rows: readonly PendingFile[]): Promise<void> {
  const snapshots = rows
    .filter(({ kind }) => kind === "snapshot")
    .map(({ place, content, stamped }) => ({ place, text: content, now: stamped }));
  const items = [...Map.groupBy(snapshots, ({ place }) => place).values()];
  for (let nth = 0; items.some((item) => item.length > nth); nth += 1)
    await keepSnapshots(
      app,
      items.flatMap((item) => item[nth] ?? []),
    );
}

/** Checked before the import. An error now has another cause, and would come again each time: it is logged. */
async function writeTemplate(app: App, { place, content, stamped }: PendingFile): Promise<void> {
  try {
    const options = { updated: stamped };
    await replaceTemplate(contextFor(app, system), place, { template: content }, options);
  } catch (error) {
    if (!(error instanceof CairnError) || error.status >= 500) throw error;
    app.log.error({ err: error, template: place }, "a template of an import was refused");
  }
}
