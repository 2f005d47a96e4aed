// Whole backups in the data directory: {data_dir}/.system/whole-backups, for their owner only. A job makes one at a time; a file
// has the name of a backup only when it is complete. No backup contains another.
// All of it needs an administrator who has just given the password, because a backup holds every secret.

import { type FileHandle, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Author } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { requireRecentProof } from "#access/recent-proof.ts";
import { fail } from "#base/errors.ts";
import { makeFolder, syncFolder } from "#base/files.ts";
import { version } from "#base/version.ts";
import { authorOf, findOnBehalf, nameOfAuthor } from "#content/on-behalf.ts";
import type { App, Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Backup, BackupMade, BackupPlace } from "#contract/transfer.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import { lockName } from "#storage/name-locks.ts";
import { findOpenJob } from "#storage/tables/jobs.ts";
import { createBackup } from "./create.ts";

const kind = "backup";
/** Each end of the server may cost one. */
const maxAttempts = 5;
const nameForm = /^backup-(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})(?:-\d+)?\.zip$/;
const partForm = /\.part$/;

interface Payload {
  author: Author;
  name: string;
}

export function handleBackups(app: App): void {
  app.jobs.handle(kind, (job, run) => makeBackup(app, job, run), {
    concurrency: 1,
    cancels: "running",
    ended: () => removeParts(app),
  });
}

/** Newest first. */
export async function listBackups(ctx: Context): Promise<{ backups: Backup[]; place: BackupPlace }> {
  await allowBackups(ctx, "read");
  return {
    backups: await findBackups(ctx),
    place: { disk: await diskOf(ctx), job: (await findOpenJob(ctx.storage, kind)) ?? null },
  };
}

/** The id of the job that makes it, or of the one that is under way already. */
export async function startBackup(ctx: Context): Promise<{ job: string }> {
  await allowBackups(ctx, "create");
  const payload: Payload = { author: authorOf(ctx), name: await freeName(ctx) };
  const added = { kind, key: kind, payload: payload as unknown as JsonObject, maxAttempts };
  const job = await ctx.storage.write(async (tx) => {
    await lockName(tx, kind);
    return (await findOpenJob(tx, kind)) ?? enqueue(tx, added);
  });
  return { job };
}

export interface KeptBackup extends Backup {
  handle: FileHandle;
}

/** The caller closes it. */
export async function openBackupFile(ctx: Context, name: string): Promise<KeptBackup> {
  await allowBackups(ctx, "read");
  const created = createdOf(name) ?? noBackup();
  const handle = await open(join(folderOf(ctx), name)).catch(ifMissing);
  if (!handle) return noBackup();
  audit(ctx, { type: "backup.downloaded", details: { name } });
  return { name, created, size: (await handle.stat()).size, handle };
}

export async function deleteBackup(ctx: Context, name: string): Promise<void> {
  await allowBackups(ctx, "delete");
  if (createdOf(name) === undefined) return noBackup();
  const folder = folderOf(ctx);
  const isThere = await rm(join(folder, name)).then(() => true, ifMissing);
  if (!isThere) return noBackup();
  await syncFolder(folder);
  audit(ctx, { type: "backup.deleted", details: { name } });
}

async function allowBackups(ctx: Context, operation: Operation): Promise<void> {
  allow(ctx, operation, { kind: "backups" });
  await requireRecentProof(ctx);
}

async function makeBackup(app: App, job: Job, run: JobRun): Promise<BackupMade | null> {
  const { author, name } = job.payload as unknown as Payload;
  const ctx = await findOnBehalf(app, author);
  if (!ctx) return fail("forbidden", `${nameOfAuthor(author)}, who started this, has no rights any more.`);
  const folder = folderOf(app);
  await makeFolder(folder, 0o700);
  await removeParts(app);
  const file = join(folder, name);
  // The server ended after the file was complete, and before the job was.
  if (job.attempts > 1 && (await stat(file).catch(ifMissing))) return null;
  const { objects, files } = await createBackup(ctx, file, {
    version,
    signal: AbortSignal.any([run.signal, run.cancelled]),
    // Of its own: an attempt that has lost its lease and still runs must not write into this one's file.
    partial: join(folder, `${name}.${job.attempts}.part`),
    onFile: (count) => run.progress(count, 0),
    onProgress: run.progress,
  });
  audit(ctx, { type: "backup.created", details: { name } });
  return { name, objects, files };
}

/** What ended attempts have left. At most one runs at a time. */
async function removeParts(app: App): Promise<void> {
  const folder = folderOf(app);
  for (const name of await namesIn(folder)) if (partForm.test(name)) await rm(join(folder, name), { force: true });
}

async function findBackups(app: App): Promise<Backup[]> {
  const folder = folderOf(app);
  const found: Backup[] = [];
  for (const name of await namesIn(folder)) {
    const created = createdOf(name);
    const facts = created === undefined ? undefined : await stat(join(folder, name)).catch(ifMissing);
    if (created !== undefined && facts) found.push({ name, size: facts.size, created });
  }
  return found.sort((a, b) => (a.name < b.name ? 1 : -1));
}

async function freeName(app: App): Promise<string> {
  const stem = `backup-${app.clock.iso().replace(/[-:]/g, "").replace("T", "-").slice(0, 15)}`;
  const taken = new Set(await namesIn(folderOf(app)));
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number === 1 ? "" : `-${number}`}.zip`;
    if (!taken.has(name)) return name;
  }
}

async function diskOf({ settings }: App): Promise<BackupPlace["disk"]> {
  return statfs(settings.dataDir).then(
    ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, total: blocks * bsize }),
    () => null,
  );
}

/** Undefined: it is not the name of a backup. */
function createdOf(name: string): string | undefined {
  const parts = nameForm.exec(name)?.slice(1);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}

function folderOf({ settings }: Pick<App, "settings">): string {
  return join(settings.dataDir, ".system", "whole-backups");
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ifMissing)) ?? [];
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function noBackup(): never {
  return fail("not-found", "There is no such backup: the list of backups names them.");
}
