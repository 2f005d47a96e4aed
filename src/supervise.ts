// The supervisor of several workers: each is a whole server, they share the port, and one that dies is replaced. It serves
// nothing itself.

import cluster, { type Address, type Worker } from "node:cluster";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeDataDir } from "./base/files.ts";
import { createLog } from "./base/log.ts";
import type { Settings } from "./config/config.ts";
import { cutConnectionsOfDeadWorkers } from "./handed-connections.ts";
import { sumMetrics } from "./http/metrics/cluster-metrics.ts";
import { createReplacing } from "./replace-workers.ts";
import {
  announce,
  createAdminBuild,
  drainDelay,
  type FromWorker,
  newToken,
  removeSocketFolders,
  setupTokenName,
  stopSignal,
  type WorkerRole,
  workerEnvironment,
  writerSocket,
} from "./server-process.ts";
import { holdDataDir } from "./storage/open.ts";

/** A worker that has lived this long was not part of a crash loop. */
const steadyMs = 60_000;
const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** A worker ends by itself within ten seconds, unless it stands still. */
const longestStopMs = 9_500;

export async function superviseWorkers(settings: Settings, count: number): Promise<number> {
  const token = { [setupTokenName]: newToken() };
  // On the embedded database the first worker writes, and the others read.
  const socket = settings.get("databaseUrl") === "" ? await holdEmbedded(settings) : undefined;
  let writer: Worker | undefined;
  const forkAs = (duty: WorkerRole["duty"]) =>
    cluster.fork({ ...token, ...(socket && workerEnvironment({ duty, socket })) });
  const fork = () => forkAs("reader");
  const forkLater = () => {
    writer = forkAs("later-writer");
  };
  const log = createLog(settings.get("log.level"));
  let isStopping = false;
  let ready = 0;
  let address: Address | undefined;
  const build = createAdminBuild(settings);
  sumMetrics();
  cutConnectionsOfDeadWorkers();
  cluster.on("listening", (worker, at) => {
    address = at;
    void build.ended.then((adminBuild) => worker.isConnected() && worker.send({ adminBuild }));
  });
  cluster.on("message", (_worker, message: FromWorker) => {
    if (!message.isReady) return;
    ready += 1;
    // Not before: the writer brings the database up to date.
    if (socket && ready === 1) for (let i = 1; i < count; i += 1) fork();
    if (ready === count)
      build.begin({ address: announce(settings, address?.port ?? settings.get("port"), message.setupLink), log });
  });
  const nextDelay = createBackoff(firstDelayMs);
  // Others wait for it.
  const nextWriterDelay = createBackoff(0);
  const started = new WeakMap<Worker, number>();
  cluster.on("fork", (worker) => {
    started.set(worker, performance.now());
    // Its channel breaks when it is killed; the exit that follows is what counts.
    worker.on("error", (error) => log.debug({ err: error }, "a worker could not be reached"));
  });
  let restarts = 0;
  const failed = new Promise<number>((resolve) => {
    cluster.on("exit", async (worker: Worker, code: number | null, signal: string | null) => {
      if (isStopping || replacing.knows(worker)) return;
      const { pid } = worker.process;
      if (ready < count) {
        log.error({ pid, code, signal }, "a worker ended before the server was ready");
        resolve(code || 1);
        return;
      }
      restarts += 1;
      const isWriter = worker === writer;
      const delayMs = (isWriter ? nextWriterDelay : nextDelay)(performance.now() - (started.get(worker) ?? 0));
      log.error({ pid, code, signal, restarts, delayMs }, "a worker ended and is replaced");
      await sleep(delayMs, undefined, { ref: false });
      if (isStopping) return;
      if (isWriter) forkLater();
      else fork();
    });
  });
  const writing = {
    present: () => writer,
    forkNext: () => forkAs("next-writer"),
    fork: forkLater,
    take(next: Worker) {
      writer = next;
    },
  };
  const replacing = createReplacing({ fork, writing, longestStopMs, log });
  if (socket) writer = forkAs("writer");
  else for (let i = 0; i < count; i += 1) fork();
  const replace = () => {
    if (ready >= count) void replacing.replaceAll();
  };
  process.on("SIGUSR2", replace);
  const outcome = await Promise.race([stopSignal(), failed]);
  isStopping = true;
  process.off("SIGUSR2", replace);
  replacing.stop();
  build.stop();
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const ended = workers.map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
  for (const worker of workers) worker.process.kill("SIGTERM");
  const late = setTimeout(() => {
    for (const worker of workers) worker.process.kill("SIGKILL");
  }, longestStopMs + drainDelay(settings));
  await Promise.all(ended);
  clearTimeout(late);
  // There may be no temporary folder where none is needed.
  if (socket && dirname(socket) !== join(settings.dataDir, ".system")) removeSocketFolders(settings.dataDir);
  return typeof outcome === "number" ? outcome : 0;
}

/** Keeps other servers from the data directory. Answers where the worker that writes can be reached. */
async function holdEmbedded({ dataDir }: Settings): Promise<string> {
  // Each worker chooses its own.
  process.umask(0o077);
  makeDataDir(dataDir);
  await holdDataDir(dataDir);
  return writerSocket(dataDir);
}

/** The delay before a worker is replaced: longer each time, unless the last one has run for a while. */
function createBackoff(firstMs: number): (livedMs: number) => number {
  let failures = 0;
  return (livedMs) => {
    failures = livedMs >= steadyMs ? 1 : failures + 1;
    return failures === 1 ? firstMs : Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
  };
}
