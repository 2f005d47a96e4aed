// The only wiring: from settings to a running app. Imported by main.ts and serve.ts only.

import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { handleBulkChanges } from "#content/bulk/bulk-job.ts";
import { flushKeyStamps } from "./access/api-keys.ts";
import { shareLogs } from "./access/logs/shared-logs.ts";
import { createLimiter, type SharedCounts } from "./access/rate-limiter.ts";
import { registerUserRules } from "./accounts/user-rules.ts";
import { registerAutomations } from "./automations/register.ts";
import { startSchedules } from "./automations/schedule.ts";
import { limitCaches } from "./base/caches/kinds.ts";
import { systemClock } from "./base/clock.ts";
import { parseDuration } from "./base/durations.ts";
import { makeDataDir } from "./base/files.ts";
import { createLog } from "./base/log.ts";
import { markRun, type RunMark } from "./base/run-mark.ts";
import { settleWithin } from "./base/settle-within.ts";
import type { WriterCalls } from "./base/writer-line.ts";
import { type Settings, SettingsError } from "./config/config.ts";
import { findOtherDatabase, hasSite, noteDatabase, requireNotedEngine, requireSite } from "./config/site.ts";
import { followSchemaFiles } from "./content/collections/announce-schemas.ts";
import { followDeletions } from "./content/collections/delete-collection.ts";
import { followKinds } from "./content/collections/follow-kinds.ts";
import { mirrorSchemas } from "./content/collections/mirror-schemas.ts";
import { handleMoves } from "./content/collections/move-files.ts";
import { resumeReindex, stopReindex } from "./content/collections/reindex.ts";
import { reindexByKinds } from "./content/collections/reindex-by-kinds.ts";
import { handlePruning, startPruning } from "./content/history/prune.ts";
import { handleCollectionRestores } from "./content/history/restore-collection.ts";
import { handleScrubbing } from "./content/history/scrub.ts";
import { handleSealing, startSealing } from "./content/history/seal.ts";
import { createRules } from "./content/write-rules.ts";
import type { App } from "./context.ts";
import { registerViews } from "./data-views/register.ts";
import { findSiteView } from "./data-views/site-view.ts";
import { admitNode } from "./definitions/admit-node.ts";
import { kindsOf } from "./definitions/kinds.ts";
import { type Mirror, openMirror } from "./definitions/mirror.ts";
import { sharedDefinitions } from "./definitions/shared-definitions.ts";
import { takeSigningKeyFile } from "./definitions/signing-key.ts";
import { closeExtensions, createExtensionPort } from "./extensions/port.ts";
import { registerReactions } from "./extensions/reactions.ts";
import { registerSchedules, startExtensionSchedules } from "./extensions/schedules.ts";
import { openDefinitions } from "./files/definition-files.ts";
import { closeFileParts, openFileParts } from "./files/file-parts.ts";
import { handleFormActions } from "./forms/form-actions.ts";
import { startCacheFigures } from "./installation/cache-figures.ts";
import { guardRegistrationGroups, nameMemberGroup } from "./installation/registration.ts";
import { followSettings, mirrorSettings, sealSettings, warnUnreadableSecrets } from "./installation/settings.ts";
import { startExpirySweep } from "./jobs/expired-rows.ts";
import { startFolding } from "./jobs/fold-counts.ts";
import { registerNode } from "./jobs/nodes.ts";
import { createJobs } from "./jobs/queue.ts";
import { createReactions } from "./jobs/reactions.ts";
import type { ReadOptions } from "./lanes/lanes.ts";
import { queueServiceMail } from "./mail/mail-queue.ts";
import { createOutbox } from "./mail/outbox.ts";
import { registerMail } from "./mailer/register.ts";
import { handleWarming } from "./media/images/derived-images.ts";
import { flushDownloads } from "./media/serving/download-counts.ts";
import { registerFileLocks } from "./media/serving/lock-changes.ts";
import { isFileOpen } from "./media/serving/open-to-all.ts";
import { startChunkSweep } from "./media/uploads/chunk-sweep.ts";
import { startOrphanSweep } from "./media/uploads/orphan-sweep.ts";
import { bearerTokens } from "./oauth/bearer.ts";
import { registerMovedRedirects } from "./redirects/moved-redirects.ts";
import { flushHits } from "./redirects/redirect-hits.ts";
import { handleUndo } from "./review/undo-job.ts";
import { registerPurges } from "./site/cache/purge-events.ts";
import { registerPageRules } from "./site/pages/page-rules.ts";
import { flushSiteErrors } from "./site/site-errors.ts";
import { followTemplateFiles } from "./site/template/follow-files.ts";
import { mirrorTemplates } from "./site/template/mirror-templates.ts";
import { nameSources } from "./site/template/sources.ts";
import { templatePlace } from "./site/template-files.ts";
import { storeNotes } from "./storage/notes.ts";
import { openStorage, type StorageOptions } from "./storage/open.ts";
import type { Storage } from "./storage/port.ts";
import { setIndexing, type WantedIndex, wantIndex } from "./storage/query/indexes.ts";
import { holdsData } from "./storage/whole-tables.ts";
import { handleBackups, startBackupSweep } from "./sync/backups/kept-backups.ts";
import { refuseHalfRestored } from "./sync/backups/restore-mark.ts";
import { followImports, resumeImports } from "./sync/pending-files.ts";
import { startSnapshotMove } from "./sync/snapshots/move-snapshots.ts";
import { handleImports } from "./transfer/import.ts";
import { registerWebhooks } from "./webhooks/register.ts";

export interface RunningApp {
  app: App;
  /** A command has created the site: data directory and database were empty. */
  isNew: boolean;
  /** For processes that only read. */
  calls: WriterCalls;
  /** Jobs and schedules run from now on. A server calls this once it listens: they would slow its start down. */
  runJobs(): void;
  /** Begins no more of them, and waits for those that run, for at most the given milliseconds. */
  pauseJobs(ms: number): Promise<void>;
  /** Waits for running work, for at most the given milliseconds; the rest is cut off. */
  close(ms?: number): Promise<void>;
}

const mebibyte = 1024 * 1024;
/** The longest timer; a longer one would fire at once. */
const longestWait = 2 ** 31 - 1;

/**
 * A command works on an existing site; a creating one may create it first. A restore has the data directory alone,
 * as a server has, and may continue an interrupted one.
 */
export type Role = "server" | "command" | "creating-command" | "restore";

/** `worker`: of several processes on the embedded database, this is the one that writes, or one that reads. */
export async function openApp(
  settings: Settings,
  role: Role,
  worker?: StorageOptions["worker"] | undefined,
): Promise<RunningApp> {
  const log = createLog(role === "server" ? settings.get("log.level") : commandLogLevel(settings));
  if (role === "command") requireSite(settings);
  else if (role !== "restore") requireNotedEngine(settings);
  const isFirst = !hasSite(settings);
  const openFolder = () => {
    makeDataDir(settings.dataDir);
    limitModes(settings, log);
  };
  // A command in an empty folder: first the database server says whether there is a site.
  const isAsked = role === "command" && isFirst;
  if (!isAsked) openFolder();
  if (role !== "restore") refuseHalfRestored(settings.dataDir);
  const otherDatabase = role === "restore" ? undefined : findOtherDatabase(settings);
  const database = await openStorage({
    dataDir: settings.dataDir,
    databaseUrl: settings.get("databaseUrl"),
    databaseReadUrl: role === "server" ? settings.get("databaseReadUrl") : undefined,
    databaseDirectUrl: settings.get("databaseDirectUrl"),
    connections: settings.get("database.connections"),
    prepares: settings.get("database.prepare"),
    // No timeout: a command can be interrupted by hand, and some have long statements.
    timeoutMs: role === "server" ? (parseDuration(settings.get("databaseTimeout")) ?? 0) : 0,
    role: role === "server" || role === "restore" ? "server" : "command",
    worker,
    mustExist: role === "command" || otherDatabase !== undefined,
    log,
    reads: role === "server" ? readOptions(settings) : undefined,
  }).catch((error) => {
    if (otherDatabase !== undefined && error instanceof Error)
      error.message += ` (The site in ${settings.dataDir} used the one at ${otherDatabase} before.)`;
    throw error;
  });
  if (isAsked) openFolder();
  const definitions = await openShared(settings, database, { log, role }).catch(async (error) => {
    await database.close();
    throw error;
  });
  const storage = definitions?.storage ?? database;
  const isNew = role === "creating-command" && isFirst && !(await holdsData(storage));
  const canWrite = !storage.isReadOnly && !storage.line;
  // A restore records it when it begins to write.
  if (role !== "restore" && canWrite)
    await noteDatabase(settings).catch((error) => log.warn({ err: error }, "the database could not be recorded"));
  const schemaFiles = definitions
    ? sharedDefinitions(definitions, "schemas")
    : await openDefinitions(join(settings.dataDir, ".schemas"), { log });
  const mail = createOutbox({ deliver: (message) => queueServiceMail(app, message), log });
  const fileParts = await openFileParts({
    dataDir: settings.dataDir,
    filesUrl: settings.get("filesUrl"),
    log,
    maxPixels: () => settings.get("images.maxPixels"),
    maxCacheBytes: () => settings.get("images.cacheSize"),
    caches: storage,
  });
  limitCaches(storage, () => settings.get("cache.memory") * mebibyte);
  const reactions = createReactions();
  const jobs = createJobs({ storage, clock: systemClock, log, prepare: () => followSettings(app) });
  const app: App = {
    settings,
    storage,
    schemaFiles,
    definitions,
    ...fileParts,
    reactions,
    jobs,
    rules: createRules(),
    extensions: createExtensionPort(() => app),
    mail,
    limiter: createLimiter({ storage, clock: systemClock, log }),
    bearer: bearerTokens,
    clock: systemClock,
    log,
  };
  const stopLogs = shareLogs(app);
  registerUserRules(app);
  registerFileLocks(app);
  registerPageRules(app);
  registerMovedRedirects(app);
  registerPurges(app);
  handleBulkChanges(app);
  handleSealing(app);
  handlePruning(app);
  handleScrubbing(app);
  handleMoves(app);
  handleBackups(app);
  handleCollectionRestores(app);
  handleImports(app);
  handleUndo(app);
  handleWarming(app);
  registerAutomations(app);
  registerWebhooks(app);
  registerReactions(app);
  registerSchedules(app);
  registerMail(app);
  registerViews(app);
  nameSources(app, {
    view: (id) => findSiteView(app, id),
    isOpenFile: (collection, id, path) => isFileOpen(app, collection, id, path),
  });
  handleFormActions(app);
  mirrorSchemas(app);
  mirrorTemplates(app);
  mirrorSettings(app);
  guardRegistrationGroups(app);
  warnUnreadableSecrets(app);
  // A restore replaces the files.
  if (role !== "restore") await definitions?.look();
  const leave = role === "server" && canWrite ? await registerNode(app).catch(closing(storage)) : async () => {};
  // Before a schema is used: what objects are built by must not change while the server starts.
  if (role !== "restore") await followKinds(app);
  if (!storage.line) await resumeImports(app);
  if (role === "server" && canWrite) await nameMemberGroup(app).catch(closing(storage));
  let stopSchedules = () => {};
  let stopImports = () => {};
  let stopSweeps = () => {};
  let stopFigures = async () => {};
  let stopFolding = async () => {};
  let mark: RunMark | undefined;
  const stopSchemas = role === "server" && !storage.line ? followSchemaFiles(app) : async () => {};
  const stopDefinitions = role === "server" ? definitions?.start() : undefined;
  const stopTemplates = role === "server" && canWrite ? followTemplateFiles(app) : async () => {};
  if (role === "server" && storage.line) stopFigures = startCacheFigures(app);
  if (role === "server" && canWrite) {
    stopImports = followImports(app);
    const advice = "an index would make queries faster; build it with this command, when there are few writes";
    setIndexing(storage, { leave: (left) => log.warn(left, advice) });
    stopFigures = startCacheFigures(app);
    stopFolding = startFolding(app);
    resumeReindex(app);
    mark = markRun(join(settings.dataDir, ".system", "running"));
    const stops = [
      followDeletions(app),
      startChunkSweep(app),
      startOrphanSweep(app, mark),
      startExpirySweep(app),
      startBackupSweep(app),
      startSnapshotMove(app),
      reindexByKinds(app),
    ];
    stopSweeps = () => {
      for (const stop of stops) stop();
    };
  }
  const calls: WriterCalls = new Map<string, (body: unknown) => Promise<unknown>>([
    ["notes", (sent) => storeNotes(storage, sent)],
    ["limits", async (sent) => app.limiter.add(sent as SharedCounts)],
    ["index", async (wanted) => wantIndex(storage, wanted as WantedIndex)],
    ["ping", () => storage.ping("write")],
  ]);
  return {
    app,
    isNew,
    calls,
    runJobs() {
      if (!canWrite || !settings.get("jobs.runInServer")) return;
      jobs.start();
      const stops = [startSchedules(app), startExtensionSchedules(app), startSealing(app), startPruning(app)];
      stopSchedules = () => {
        for (const stop of stops) stop();
      };
    },
    async pauseJobs(ms) {
      stopSchedules();
      await jobs.pause(ms);
    },
    async close(ms = longestWait) {
      stopSchedules();
      stopImports();
      stopSweeps();
      const finishing = Promise.all([
        finish(app, ms),
        stopSchemas(),
        stopTemplates(),
        stopFigures(),
        stopFolding(),
        leave(),
        stopDefinitions?.(),
      ])
        // What ends may have something to log.
        .then(stopLogs)
        .catch((error) => log.warn({ err: error }, "the shutdown was not clean"));
      await settleWithin([finishing], ms);
      await closeFileParts(fileParts);
      schemaFiles.close();
      // Work that waits for a database that does not answer is cut off with it.
      await storage.close();
      mark?.remove();
    },
  };
}

/** Where several nodes share the database, it has the definitions, and a new node gets its files from there. */
async function openShared(
  settings: Settings,
  storage: Storage,
  { log, role }: { log: Logger; role: Role },
): Promise<Mirror | undefined> {
  if (!storage.isShared || storage.isReadOnly) return undefined;
  const { dataDir } = settings;
  // A restore brings its own key.
  const problem = role === "restore" ? undefined : await admitNode(storage, dataDir, systemClock.iso());
  if (problem !== undefined) throw new SettingsError(problem);
  mkdirSync(join(dataDir, ".schemas"), { recursive: true });
  const mirror = await openMirror({
    dataDir,
    storage,
    kinds: kindsOf(dataDir, { hasTemplates: !templatePlace(settings).isGitManaged }),
    log,
    now: () => systemClock.iso(),
    seal: (kind, text) => (kind === "settings" ? sealSettings(dataDir, text) : text),
  });
  if (role !== "restore") await takeSigningKeyFile(mirror, dataDir);
  settings.reload();
  return mirror;
}

/** A start that fails leaves no connection that would keep the process. */
function closing(storage: Storage): (error: unknown) => Promise<never> {
  return async (error) => {
    await storage.close();
    throw error;
  };
}

async function finish(app: App, ms: number): Promise<void> {
  await Promise.all([app.mail.close(), app.jobs.stop(ms)]);
  await stopReindex(app);
  await closeExtensions(app);
  // Not a reason to let the stop fail.
  const counted = await Promise.allSettled([
    flushKeyStamps(app),
    flushDownloads(app),
    flushHits(app),
    flushSiteErrors(app),
  ]);
  if (counted.some(({ status }) => status === "rejected")) app.log.warn("the last uses of keys could not be written");
}

/** A command holds up only itself. */
function readOptions(settings: Settings): ReadOptions {
  // Read for each query.
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

/**
 * Files are for their owner, and for the group where the data directory is open to it. Others get nothing, unless
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

/** A command prints sentences for a person; its log is off unless requested. */
function commandLogLevel(settings: Settings): string {
  const level = settings.get("log.level");
  return level === "debug" || level === "trace" ? level : "silent";
}
