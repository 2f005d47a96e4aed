// The only wiring: from settings to a running app. Imported by main.ts and serve.ts alone.

import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Logger } from "pino";
import { flushKeyStamps } from "./access/api-keys.ts";
import { registerUserRules } from "./accounts/user-rules.ts";
import { registerAutomations } from "./automations/register.ts";
import { startSchedules } from "./automations/schedule.ts";
import { systemClock } from "./base/clock.ts";
import { parseDuration } from "./base/durations.ts";
import { createLog } from "./base/log.ts";
import { markRun, type RunMark } from "./base/run-mark.ts";
import { settleWithin } from "./base/settle-within.ts";
import type { Settings } from "./config/config.ts";
import { findOtherDatabase, hasSite, noteDatabase, requireNotedEngine, requireSite } from "./config/site.ts";
import { followSchemaFiles } from "./content/collections/announce-schemas.ts";
import { resumeDeletions } from "./content/collections/delete-collection.ts";
import { resumeReindex, stopReindex } from "./content/collections/reindex.ts";
import { createRules } from "./content/write-rules.ts";
import type { App } from "./context.ts";
import { registerViews } from "./data-views/register.ts";
import { closeFileParts, openFileParts } from "./files/file-parts.ts";
import { followSettings, warnUnreadableSecrets } from "./installation/settings.ts";
import { createJobs } from "./jobs/queue.ts";
import { createReactions } from "./jobs/reactions.ts";
import { queueServiceMail } from "./mail/mail-queue.ts";
import { createOutbox } from "./mail/outbox.ts";
import { registerMail } from "./mailer/register.ts";
import { handleWarming } from "./media/images/derived-images.ts";
import { flushDownloads } from "./media/serving/download-counts.ts";
import { registerFileLocks } from "./media/serving/lock-changes.ts";
import { startChunkSweep } from "./media/uploads/chunk-sweep.ts";
import { startOrphanSweep } from "./media/uploads/orphan-sweep.ts";
import { openDefinitions } from "./storage/definitions.ts";
import type { ReadOptions } from "./storage/lanes/lanes.ts";
import { openStorage } from "./storage/open.ts";
import { setIndexing } from "./storage/query/indexes.ts";
import { holdsData } from "./storage/table-list.ts";
import { refuseHalfRestored } from "./sync/backups/restore-mark.ts";
import { followImports, resumeImports } from "./sync/pending-files.ts";
import { handleImports } from "./transfer/import.ts";
import { registerWebhooks } from "./webhooks/register.ts";

export interface RunningApp {
  app: App;
  /** A command has made it: there was nothing before, neither in the data directory nor in the database. */
  isNew: boolean;
  /** What is under way comes to its end, within so many milliseconds if they are given; the rest is cut off. */
  close(ms?: number): Promise<void>;
}

/** More than any timer takes would be none. */
const longestWait = 2 ** 31 - 1;

/**
 * A command works on a site that exists; one that creates may make it first. A restore has the data directory for itself,
 * as a server has, and may go on where another was cut off.
 */
export type Role = "server" | "command" | "creating-command" | "restore";

export async function openApp(settings: Settings, role: Role): Promise<RunningApp> {
  const log = createLog(role === "server" ? settings.get("log.level") : commandLogLevel(settings));
  if (role === "command") requireSite(settings);
  else if (role !== "restore") requireNotedEngine(settings);
  const isFirst = !hasSite(settings);
  makeDataDir(settings.dataDir);
  limitModes(settings, log);
  if (role !== "restore") refuseHalfRestored(settings.dataDir);
  const otherDatabase = role === "restore" ? undefined : findOtherDatabase(settings);
  const storage = await openStorage({
    dataDir: settings.dataDir,
    databaseUrl: settings.get("databaseUrl"),
    // Whoever started a command can end it as well; some take long over one statement.
    timeoutMs: role === "server" ? (parseDuration(settings.get("databaseTimeout")) ?? 0) : 0,
    role: role === "server" || role === "restore" ? "server" : "command",
    mustExist: role === "command" || otherDatabase !== undefined,
    log,
    reads: role === "server" ? readOptions(settings) : undefined,
  }).catch((error) => {
    if (otherDatabase !== undefined && error instanceof Error)
      error.message += ` (The site in ${settings.dataDir} used the one at ${otherDatabase} before.)`;
    throw error;
  });
  const isNew = role === "creating-command" && isFirst && !(await holdsData(storage));
  // A restore notes it when it begins to write.
  if (role !== "restore" && !storage.isReadOnly)
    await noteDatabase(settings).catch((error) => log.warn({ err: error }, "the database could not be noted"));
  const schemaFiles = await openDefinitions(join(settings.dataDir, ".schemas"), { log });
  const mail = createOutbox({ deliver: (message) => queueServiceMail(app, message), log });
  const fileParts = await openFileParts({
    dataDir: settings.dataDir,
    filesUrl: settings.get("filesUrl"),
    log,
    maxPixels: () => settings.get("images.maxPixels"),
    maxCacheBytes: () => settings.get("images.cacheSize"),
  });
  const reactions = createReactions();
  const jobs = createJobs({ storage, clock: systemClock, log, prepare: () => followSettings(app) });
  const app: App = {
    settings,
    storage,
    schemaFiles,
    ...fileParts,
    reactions,
    jobs,
    rules: createRules(),
    mail,
    clock: systemClock,
    log,
  };
  registerUserRules(app);
  registerFileLocks(app);
  handleImports(app);
  handleWarming(app);
  registerAutomations(app);
  registerWebhooks(app);
  registerMail(app);
  registerViews(app);
  warnUnreadableSecrets(app);
  await resumeImports(app);
  let stopSchedules = () => {};
  let stopImports = () => {};
  let stopSweeps = () => {};
  let mark: RunMark | undefined;
  if (role === "server") followSchemaFiles(app);
  if (role === "server" && !storage.isReadOnly) {
    stopImports = followImports(app);
    const advice = "an index would make queries faster; build it when few write, with this command";
    setIndexing(storage, { leave: (left) => log.warn(left, advice) });
    resumeReindex(app);
    resumeDeletions(app);
    mark = markRun(join(settings.dataDir, ".system", "running"));
    const stops = [startChunkSweep(app), startOrphanSweep(app, mark)];
    stopSweeps = () => {
      for (const stop of stops) stop();
    };
    if (settings.get("jobs.runInServer")) {
      jobs.start();
      stopSchedules = startSchedules(app);
    }
  }
  return {
    app,
    isNew,
    async close(ms = longestWait) {
      stopSchedules();
      stopImports();
      stopSweeps();
      const finishing = finish(app, ms).catch((error) => log.warn({ err: error }, "not all that was under way ended"));
      await settleWithin([finishing], ms);
      await closeFileParts(fileParts);
      schemaFiles.close();
      // Whatever waits for a database that does not answer is cut off with it.
      await storage.close();
      mark?.remove();
    },
  };
}

async function finish(app: App, ms: number): Promise<void> {
  await Promise.all([app.mail.close(), app.jobs.stop(ms)]);
  await stopReindex(app);
  // Nice to know, and no reason to call the stop a failure.
  const counted = await Promise.allSettled([flushKeyStamps(app), flushDownloads(app)]);
  if (counted.some(({ status }) => status === "rejected")) app.log.warn("the last uses could not be written down");
}

/** A command holds nobody up but itself. */
function readOptions(settings: Settings): ReadOptions {
  // Asked for with each question.
  const known = new Map<string, number>();
  const ms = (name: "queryTimeout" | "queryTimeoutPublic" | "queryBudget" | "queryBudgetPublic") => {
    const text = settings.get(name);
    const found = known.get(text) ?? parseDuration(text) ?? 0;
    known.set(text, found);
    return found;
  };
  return {
    threads: settings.get("readers"),
    limits: () => ({
      timeoutMs: ms("queryTimeout"),
      publicTimeoutMs: ms("queryTimeoutPublic"),
      budgetMs: ms("queryBudget"),
      publicBudgetMs: ms("queryBudgetPublic"),
    }),
  };
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir, 0o700);
    makeFolder(join(dataDir, ".system"), 0o700);
  } catch {
    throw new Error(
      `The data directory ${dataDir} cannot be made: nothing can be written there, or a file is in its way.`,
    );
  }
}

/**
 * What is written is for its owner, and for the group where the data directory is open to it. Others get nothing, unless
 * a server in front sends files from a directory that was open to them before.
 */
function limitModes(settings: Settings, log: Logger): void {
  const { mode } = statSync(settings.dataDir);
  const isOpenTo = (bits: number) => (mode & bits) === bits;
  const isHandedOver = settings.get("files.handover") !== "";
  if (isHandedOver && isOpenTo(0o005)) {
    process.umask(0o022);
    log.warn("every user of this machine may read the data directory: let a group read it instead (chmod 750)");
  } else process.umask(isOpenTo(0o050) ? 0o027 : 0o077);
}

/** Step by step: where the system makes no folder at all (`/proc`), Node's own way to make several tries without end. */
function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A command speaks to a person, in sentences; its log is for whoever asks for the details. */
function commandLogLevel(settings: Settings): string {
  const level = settings.get("log.level");
  return level === "debug" || level === "trace" ? level : "silent";
}
