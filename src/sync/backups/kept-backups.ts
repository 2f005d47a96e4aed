// Whole backups in the file store, below `whole-backups/`, where all nodes find them. A job makes one at a time: in the data
// directory of its node first ({data_dir}/.system/whole-backups/*.part), and in the store only when it is complete. No backup
// contains another. All of it needs an administrator who has just given the password, because a backup holds every secret.

import { readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Author } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { requireRecentProof } from "#access/recent-proof.ts";
import { fail } from "#base/errors.ts";
import { makeFolder } from "#base/files.ts";
import { version } from "#base/version.ts";
import { authorOf, findOnBehalf, nameOfAuthor } from "#content/on-behalf.ts";
import type { App, Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Backup, BackupMade, BackupPlace } from "#contract/transfer.ts";
import type { OpenFile } from "#files/port.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import { lockName } from "#storage/name-locks.ts";
import { findOpenJob } from "#storage/tables/jobs.ts";
import { createBackup } from "./create.ts";

const kind = "backup";
/** In the store, and for what is being made in the system folder of a node. */
const folder = "whole-backups";
/** Each end of the server may cost one. */
const maxAttempts = 5;
const nameForm = /^backup-(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})(?:-\d+)?\.zip$/;
const partForm = /\.part$/;
const hour = 3_600_000;
const day = 24 * hour;

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
  file: OpenFile;
}

/** The caller sends or closes it. */
export async function openBackupFile(ctx: Context, name: string): Promise<KeptBackup> {
  await allowBackups(ctx, "read");
  const created = createdOf(name) ?? noBackup();
  const at = `${folder}/${name}`;
  if (!(await ctx.files.system.find(at))) return noBackup();
  const file = await ctx.files.system.open(at);
  audit(ctx, { type: "backup.downloaded", details: { name } });
  return { name, created, size: file.size, file };
}

export async function deleteBackup(ctx: Context, name: string): Promise<void> {
  await allowBackups(ctx, "delete");
  const at = `${folder}/${name}`;
  if (createdOf(name) === undefined || !(await ctx.files.system.find(at))) return noBackup();
  await ctx.files.system.delete(at);
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
  const { system } = app.files;
  const at = `${folder}/${name}`;
  await makeFolder(partFolder(app), 0o700);
  await removeParts(app);
  // The server ended after the file was complete, and before the job was.
  if (job.attempts > 1 && (await system.find(at))) return null;
  const signal = AbortSignal.any([run.signal, run.cancelled]);
  // Of its own: an attempt that has lost its lease and still runs must not write into this one's file.
  const path = join(partFolder(app), `${name}.${job.attempts}.part`);
  try {
    const { objects, files } = await createBackup(ctx, path, {
      version,
      signal,
      onFile: (count) => run.progress(count, 0),
      onProgress: run.progress,
    });
    await system.put({ path, size: (await stat(path)).size }, at, signal);
    audit(ctx, { type: "backup.created", details: { name } });
    return { name, objects, files };
  } finally {
    await rm(path, { force: true });
  }
}

/** What ended attempts have left. At most one runs at a time. */
async function removeParts(app: App, before = Number.POSITIVE_INFINITY): Promise<void> {
  for (const name of (await readdir(partFolder(app)).catch(ifMissing)) ?? []) {
    const path = join(partFolder(app), name);
    const facts = partForm.test(name) ? await stat(path).catch(ifMissing) : undefined;
    if (facts && facts.mtimeMs < before) await rm(path, { force: true });
  }
}

/** Parts of a backup that was made on another node in the end. Runs now and every hour; the returned function stops it. */
export function startBackupSweep(app: App): () => void {
  const sweep = () =>
    void removeParts(app, app.clock.now() - day).catch((error) => {
      app.log.warn({ err: error }, "unfinished backups were not removed");
    });
  const timer = setInterval(sweep, hour).unref();
  sweep();
  return () => clearInterval(timer);
}

async function findBackups({ files }: App): Promise<Backup[]> {
  const found: Backup[] = [];
  for await (const { key, size } of files.system.list(folder)) {
    const name = key.slice(folder.length + 1);
    const created = createdOf(name);
    if (created !== undefined) found.push({ name, size, created });
  }
  return found.sort((a, b) => (a.name < b.name ? 1 : -1));
}

async function freeName(app: App): Promise<string> {
  const stem = `backup-${app.clock.iso().replace(/[-:]/g, "").replace("T", "-").slice(0, 15)}`;
  const taken = new Set((await findBackups(app)).map(({ name }) => name));
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

function partFolder({ settings }: App): string {
  return join(settings.dataDir, ".system", folder);
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function noBackup(): never {
  return fail("not-found", "There is no such backup: the list of backups names them.");
}
