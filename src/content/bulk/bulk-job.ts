// A bulk change of many objects, as a job over them (target-job.ts): with the rights that its author has at that time.

import { isDeepStrictEqual } from "node:util";
import type { Author } from "#access/actor.ts";
import { fail } from "#base/errors.ts";
import { decryptSecret, encryptSecret, getSiteKey } from "#base/secrets.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { doorOf } from "#content/history/writer.ts";
import { authorOf, findOnBehalf, nameOfAuthor } from "#content/on-behalf.ts";
import type { App, Context } from "#context.ts";
import type { BulkRequest } from "#contract/admin.ts";
import type { Door } from "#contract/history.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import { countTargets } from "#storage/tables/bulk-targets.ts";
import type { JobRow } from "#storage/tables/jobs.ts";
import { type BulkWork, bulkWidth, changeOne, failureOf, neededFor } from "./bulk-work.ts";
import { enqueueTargets, handleTargets, runTargets } from "./target-job.ts";

const kind = "bulk";

interface Payload extends Pick<BulkWork, "collection" | "operation"> {
  author: Author;
  /** By which the author came; absent in jobs from before the log. */
  door?: Door;
  note?: string | undefined;
  total: number;
  /** The body, encrypted: it may hold passwords. */
  sealed: string;
}

export function handleBulkChanges(app: App): void {
  handleTargets(app, kind, (job, run) => runBulk(app, job, run));
}

/** The id of the job. */
export function enqueueBulk(ctx: Context, work: BulkWork, ids: readonly string[]): Promise<string> {
  const { collection, operation, body } = work;
  const sealed = encryptSecret(getSiteKey(ctx.settings.dataDir), JSON.stringify(body), purposeOf(collection));
  const payload = { collection, operation, author: authorOf(ctx), ...trailOf(ctx), total: ids.length, sealed };
  return enqueueTargets(ctx, { kind, subject: collection, payload: payload as unknown as JsonObject, targets: ids });
}

function trailOf(ctx: Context): Pick<Payload, "door" | "note"> {
  return { door: doorOf(ctx), note: ctx.trail?.note };
}

function purposeOf(collection: string): string {
  return `bulk ${collection}`;
}

/** Kinds of jobs that callers start and follow themselves. */
const ownKinds: readonly string[] = [kind, "undo"];

/** Whether the caller has started it. */
export function isOwnJob(ctx: Pick<Context, "actor" | "surface">, row: Pick<JobRow, "kind" | "payload">): boolean {
  return ownKinds.includes(row.kind) && isDeepStrictEqual((JSON.parse(row.payload) as Payload).author, authorOf(ctx));
}

async function runBulk(app: App, job: Job, run: JobRun): Promise<Json> {
  const { total, ...payload } = job.payload as unknown as Payload;
  const { door, note } = payload;
  const work: BulkWork = { ...payload, body: {} };
  const failed = await runTargets<string>(app, {
    ...{ job, run, total, width: bulkWidth },
    incomplete: "The server stopped before the selection was stored. Nothing was changed; start it again.",
    async author() {
      work.body = openBody(app, payload);
      return { ...(await getAuthor(app, payload)), trail: { door, note, run: job.id } };
    },
    groups: (ids) => ids.map((id) => [id]),
    idOf: (id) => id,
    write: (ctx, id, take) => changeOne(ctx, work, id, take),
    failureOf,
  });
  return { done: total - (await countTargets(app.storage, job.id, true)), failed };
}

function openBody({ settings }: App, { collection, sealed }: Pick<Payload, "collection" | "sealed">): JsonObject {
  const text = decryptSecret(getSiteKey(settings.dataDir), sealed, purposeOf(collection));
  if (text === undefined) fail("invalid", "The values of this change cannot be decrypted any more. Start it again.");
  return JSON.parse(text) as JsonObject;
}

/** Fails as a whole when the author may not do this any more, or the collection is gone. */
async function getAuthor(
  app: App,
  { author, collection, operation }: { author: Author; collection: string; operation: BulkRequest["operation"] },
): Promise<Context> {
  const ctx = await findOnBehalf(app, author);
  if (!ctx) fail("forbidden", `${nameOfAuthor(author)}, who started this, has no rights any more.`);
  await openCollection(ctx, neededFor[operation], collection);
  return ctx;
}
