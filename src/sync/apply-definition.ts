// Applies a definition to this installation, all of it or nothing, also when the process dies in between.
// Objects, settings and the rows of files to be written are one transaction; the files follow it (pending-files.ts).

import { audit } from "#access/audit.ts";
import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { fillSettings } from "#content/collections/collection-settings.ts";
import { auditOpenings, type Opening } from "#content/collections/openings.ts";
import { putCollectionIn } from "#content/collections/put-collection.ts";
import { scheduleReindex } from "#content/collections/reindex.ts";
import { openRecorder, type Recorder } from "#content/history/record.ts";
import { newRun } from "#content/history/writer.ts";
import { removeDropped } from "#content/objects/dropped-files.ts";
import { hashAll, type PasswordHashes } from "#content/objects/password-hashes.ts";
import { retryOnTakenId } from "#content/objects/unique.ts";
import { auditWrite } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { ImportReport } from "#contract/transfer.ts";
import { storeRedirects } from "#redirects/redirects.ts";
import { collectPasswords } from "#schemas/build.ts";
import type { Tx } from "#storage/port.ts";
import { insertPendingFiles, type PendingFile } from "#storage/tables/pending-files.ts";
import { type Definition, Problems } from "./definition.ts";
import { withImportsLock, writePendingFiles } from "./pending-files.ts";
import { type ImportMode, type ImportPlan, makePlan, type PlannedCollection, type PlannedObjects } from "./plan.ts";
import { presentSettings } from "./snapshots/snapshots.ts";
import {
  checkReferencesOf,
  type Done,
  type ObjectDone,
  type ObjectsWork,
  queueSnapshot,
  type SnapshotQueue,
  writeObjects,
} from "./write-objects.ts";

const maxPasswords = 100;

/** The result of one transaction. It is valid only after the commit. */
interface Outcome {
  report: ImportReport;
  objects: Map<string, ObjectDone[]>;
  openings: Map<string, readonly Opening[]>;
}

export async function applyDefinition(ctx: Context, definition: Definition, mode: ImportMode): Promise<ImportReport> {
  let outcome: Outcome;
  try {
    outcome = await withImportsLock(ctx, () => applyLocked(ctx, definition, mode));
  } finally {
    // Also after a failure: files of an earlier import may have been written.
    await scheduleReindex(ctx);
  }
  await recordOutcome(ctx, outcome);
  return outcome.report;
}

/** Thrown inside a transaction to roll it back: a dry run has seen what it came for. */
class Tried extends Error {
  readonly report: ImportReport;
  constructor(report: ImportReport) {
    super("a dry run");
    this.report = report;
  }
}

/** Stores nothing, and answers and refuses as the import would. */
export async function tryDefinition(ctx: Context, definition: Definition, mode: ImportMode): Promise<ImportReport> {
  return withImportsLock(ctx, async () => {
    await writePendingFiles(ctx);
    const { plan, hashes } = await prepare(ctx, definition, mode);
    const attempt = () =>
      ctx.storage.write(async (tx): Promise<never> => {
        throw new Tried((await writePlan(ctx, tx, { plan, hashes, recorder: undefined })).report);
      });
    return retryOnTakenId(attempt).catch((error: unknown) => {
      if (!(error instanceof Tried)) throw error;
      return { ...error.report, dryRun: true as const };
    });
  });
}

async function prepare(ctx: Context, definition: Definition, mode: ImportMode) {
  const plan = await makePlan(ctx, definition, mode);
  return { plan, hashes: await hashPasswords(plan) };
}

async function applyLocked(ctx: Context, definition: Definition, mode: ImportMode): Promise<Outcome> {
  await writePendingFiles(ctx);
  const { plan, hashes } = await prepare(ctx, definition, mode);
  const recorder = await openRecorder(inRun(ctx, mode), plan.objects.map(targetOf));
  const written = await retryOnTakenId(() => ctx.storage.write((tx) => writePlan(ctx, tx, { plan, hashes, recorder })));
  await writePendingFiles(ctx);
  return written;
}

/** All changes of one import can be found together. */
function inRun(ctx: Context, mode: ImportMode): Context {
  return { ...ctx, trail: { ...ctx.trail, door: mode === "upsert" ? "sync" : "import", run: newRun() } };
}

function targetOf({ collection, settings, schema }: PlannedObjects): Collection {
  return { id: collection, settings, schema, isVirtual: false };
}

/** Hashing is slow, so it comes before the transaction. Sync carries no passwords. */
async function hashPasswords({ mode, objects }: ImportPlan): Promise<PasswordHashes> {
  const plain = new Set<string>();
  if (mode !== "upsert") {
    for (const { schema, items } of objects) {
      for (const { data } of items) for (const text of collectPasswords(schema, data, true)) plain.add(text);
    }
  }
  if (plain.size > maxPasswords)
    fail("refused", `At most ${maxPasswords} different passwords can be imported at once.`);
  return hashAll(plain);
}

async function writePlan(
  ctx: Context,
  tx: Tx,
  { plan, hashes, recorder }: { plan: ImportPlan; hashes: PasswordHashes; recorder: Recorder | undefined },
): Promise<Outcome> {
  const now = ctx.clock.iso();
  const problems = new Problems();
  const { unchanged, skipped } = plan.settled;
  const report: ImportReport = {
    created: [],
    updated: [],
    unchanged: [...unchanged],
    skipped: [...skipped],
    errors: [],
  };
  const outcome: Outcome = { report, objects: new Map(), openings: new Map() };
  const keep: SnapshotQueue = { now, snapshots: [] };
  for (const collection of plan.collections) {
    const done = await writeCollection(ctx, tx, collection, keep);
    report[done].push({ kind: "collection", id: collection.id });
    if (done !== "unchanged") outcome.openings.set(collection.id, collection.openings);
  }
  const work: ObjectsWork = { ctx, mode: plan.mode, hashes, recorder, problems, keep, later: [] };
  for (const group of plan.objects) {
    const done = await writeObjects(work, tx, group);
    outcome.objects.set(group.collection, done);
    for (const one of done) report[one.done].push({ kind: "object", collection: group.collection, id: one.id });
  }
  await checkReferencesOf(work, tx);
  const replaces = plan.mode !== "skip-existing";
  // The addresses of objects come first: one that moves leaves a redirect behind.
  const redirects =
    plan.redirects.length === 0 ? [] : await storeRedirects(ctx, tx, { redirects: plan.redirects, replaces });
  for (const { source, done, problem } of redirects) {
    if (problem === undefined) report[done].push({ kind: "redirect", id: source });
    else problems.add(`redirects.${source}`, problem);
  }
  problems.refuse();
  const definitions = definitionFiles(plan, report, keep);
  await insertPendingFiles(tx, [...keep.snapshots, ...definitions]);
  return outcome;
}

/** Schemas and templates are files. Their content is stored as rows with the rest, and written after the commit. */
function definitionFiles(plan: ImportPlan, report: ImportReport, keep: SnapshotQueue): PendingFile[] {
  const files: PendingFile[] = [];
  for (const { record, before } of plan.schemas) {
    const { id } = record;
    (before ? report.updated : report.created).push({ kind: "schema", id });
    if (before) queueSnapshot(keep, { kind: "schema", id }, asJson(before));
    files.push({ kind: "schema", place: id, content: JSON.stringify(record), stamped: keep.now });
  }
  for (const { id, template, updated, isNew } of plan.templates) {
    (isNew ? report.created : report.updated).push({ kind: "template", id });
    files.push({ kind: "template", place: id, content: template, stamped: updated });
  }
  return files;
}

/** The receiver keeps its counters and the time of the last change of an object. */
async function writeCollection(ctx: Context, tx: Tx, planned: PlannedCollection, keep: SnapshotQueue): Promise<Done> {
  const { id, schema, updated, config = fillSettings({ id, schema: schema.id }) } = planned;
  const isOnlyEnsured = planned.config === undefined;
  const put = await putCollectionIn(ctx, tx, { config, schema, updated, isOnlyEnsured });
  if (put.done === "updated") queueSnapshot(keep, { kind: "collection", id }, presentSettings(put.row));
  return put.done;
}

/** After the commit. Webhooks, automations and views have got their jobs in the transaction itself. */
async function recordOutcome(ctx: Context, { report, objects, openings }: Outcome): Promise<void> {
  for (const [collection, opened] of openings) auditOpenings(ctx, collection, opened);
  for (const { kind, id } of [...report.created, ...report.updated])
    if (kind === "schema" || kind === "template") audit(ctx, { type: `${kind}.saved`, details: { [kind]: id } });
  for (const [collection, done] of objects) {
    for (const { id, done: what, dropped, watched } of done) {
      const key = { collection, id };
      if (what === "created") auditWrite(ctx, "created", key, { by: "import" });
      if (what === "updated" && watched.length > 0)
        auditWrite(ctx, "changed", key, { by: "import", changed: [...watched] });
      await removeDropped(ctx, key, dropped);
    }
  }
}

function asJson(record: object): JsonObject {
  return record as JsonObject;
}
