// The server process: open, listen, print the ready line, drain on a stop signal. With several workers the first process only
// supervises them: each is a whole server, they share the port, and one that dies is replaced.

import cluster, { type Address, type Worker } from "node:cluster";
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { describeForBuilder } from "./admin/site-check/describe-for-builder.ts";
import { openApp } from "./app.ts";
import { createLog } from "./base/log.ts";
import { isLoopback } from "./base/net/addresses.ts";
import { type Settings, SettingsError } from "./config/config.ts";
import type { App } from "./context.ts";
import { retryFailed } from "./extensions/crashes.ts";
import { followExtensions } from "./extensions/follow-folders.ts";
import { sumMetrics } from "./http/cluster-metrics.ts";
import { createSetupGate } from "./http/pages/setup.ts";
import { createServer } from "./http/server.ts";
import { type AdminBuild, type AdminBuildEnd, buildAdmin, noAdminBuild } from "./installation/admin-build.ts";
import { openInBrowser } from "./installation/open-in-browser.ts";
import { isOAuthOn } from "./oauth/switch.ts";

/** One token for all workers, so that any of them accepts the link on the console. */
const setupTokenName = "CAIRN_SETUP_TOKEN";
/** The process ends within ten seconds, whatever hangs: limits for requests, for the rest, and for both together. */
const drainMs = 7_500;
const closeMs = 6_000;
const endMs = 8_500;
/** A worker that has lived this long was not part of a crash loop. */
const steadyMs = 60_000;
const firstDelayMs = 500;
const longestDelayMs = 30_000;

export interface ServeOptions {
  /** `cairn dev`: pages follow changes at once and show warnings. */
  isDev?: boolean;
  /** Shows the site in a browser. */
  opens?: boolean;
}

export function serve(settings: Settings, options: ServeOptions = {}): Promise<number> {
  const workers = settings.get("workers");
  if (workers > 1 && !settings.get("databaseUrl")) {
    throw new SettingsError("workers: more than one server process needs a database server (CAIRN_DATABASE_URL).");
  }
  return workers > 1 && cluster.isPrimary ? superviseWorkers(settings, workers) : runServer(settings, options);
}

async function runServer(settings: Settings, { isDev = false, opens = false }: ServeOptions): Promise<number> {
  // Registered first: a caller may send a signal right after the ready line.
  const stopped = stopSignal();
  const { app, runJobs, close } = await openApp(settings, "server");
  await retryFailed(app);
  const token = process.env[setupTokenName] ?? newToken();
  delete process.env[setupTokenName];
  const setup = await createSetupGate(app, token);
  const adminBuild = createAdminBuild(settings);
  const server = await createServer(app, { setup, adminBuild, isDev });
  try {
    await server.listen({ host: settings.get("host"), port: settings.get("port") });
  } catch (error) {
    await server.close();
    await close();
    throw listenError(error, settings);
  }
  runJobs();
  const unfollow = isDev ? followExtensions(app) : () => {};
  if ((cluster.worker?.id ?? 1) === 1) warnOfAddress(app);
  if (cluster.isPrimary) {
    const address = announce(settings, portOf(server.addresses()[0]), setup.link);
    adminBuild.begin({ address, log: app.log });
    if (isDev) await welcomeBuilder(app, { address, opens });
  } else process.send?.({ isReady: true, setupLink: setup.link });
  await stopped;
  app.log.info("stopping");
  unfollow();
  adminBuild.stop();
  const end = performance.now() + endMs;
  await drain(server);
  await close(Math.min(closeMs, Math.max(endMs - drainMs, end - performance.now())));
  // The channel to the first process would keep this one alive.
  if (cluster.isWorker) process.disconnect();
  return 0;
}

interface ServedBuild extends AdminBuild {
  /** Once the server listens. */
  begin(options: { address: string; log: Logger }): void;
  stop(): void;
}

/** The first process builds; workers wait for its word. */
function createAdminBuild(settings: Settings): ServedBuild {
  const begin = () => {};
  const stop = () => {};
  if (!settings.get("admin.build")) return { ...noAdminBuild, begin, stop };
  const { promise: ended, resolve } = Promise.withResolvers<AdminBuildEnd>();
  if (cluster.isWorker) {
    process.on("message", ({ adminBuild }: { adminBuild?: AdminBuildEnd }) => adminBuild && resolve(adminBuild));
    return { ended, begin, stop };
  }
  const ending = new AbortController();
  return {
    ended,
    begin: (options) => resolve(buildAdmin({ ...options, signal: ending.signal })),
    stop: () => ending.abort(),
  };
}

/** Running requests may end, for a while; idle connections are closed meanwhile. */
async function drain(server: Awaited<ReturnType<typeof createServer>>): Promise<void> {
  const sweep = setInterval(() => server.server.closeIdleConnections(), 100);
  const deadline = setTimeout(() => server.server.closeAllConnections(), drainMs);
  await server.close();
  clearInterval(sweep);
  clearTimeout(deadline);
}

async function superviseWorkers(settings: Settings, count: number): Promise<number> {
  const env = { [setupTokenName]: newToken() };
  const log = createLog(settings.get("log.level"));
  let isStopping = false;
  let ready = 0;
  let address: Address | undefined;
  const build = createAdminBuild(settings);
  sumMetrics();
  cluster.on("listening", (worker, at) => {
    address = at;
    void build.ended.then((adminBuild) => worker.isConnected() && worker.send({ adminBuild }));
  });
  cluster.on("message", (_worker, message: { isReady?: boolean; setupLink?: string }) => {
    if (!message.isReady) return;
    ready += 1;
    if (ready === count)
      build.begin({ address: announce(settings, address?.port ?? settings.get("port"), message.setupLink), log });
  });
  const nextDelay = createBackoff();
  const started = new WeakMap<Worker, number>();
  cluster.on("fork", (worker) => started.set(worker, performance.now()));
  let restarts = 0;
  const failed = new Promise<number>((resolve) => {
    cluster.on("exit", async (worker: Worker, code: number | null, signal: string | null) => {
      if (isStopping) return;
      const { pid } = worker.process;
      if (ready < count) {
        log.error({ pid, code, signal }, "a worker ended before the server was ready");
        resolve(code || 1);
        return;
      }
      restarts += 1;
      const delayMs = nextDelay(performance.now() - (started.get(worker) ?? 0));
      log.error({ pid, code, signal, restarts, delayMs }, "a worker ended and is replaced");
      await sleep(delayMs, undefined, { ref: false });
      if (!isStopping) cluster.fork(env);
    });
  });
  for (let i = 0; i < count; i += 1) cluster.fork(env);
  const outcome = await Promise.race([stopSignal(), failed]);
  isStopping = true;
  build.stop();
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const ended = workers.map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
  for (const worker of workers) worker.process.kill("SIGTERM");
  await Promise.all(ended);
  return typeof outcome === "number" ? outcome : 0;
}

/** The delay before a worker is replaced: longer each time, unless the last one has run for a while. */
function createBackoff(): (livedMs: number) => number {
  let failures = 0;
  return (livedMs) => {
    failures = livedMs >= steadyMs ? 1 : failures + 1;
    return Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
  };
}

/** Tokens are for the address that the server assumes, and clients refuse those of a different one. */
function warnOfAddress(app: App): void {
  const { settings, log } = app;
  const host = settings.get("host");
  if (settings.get("url") !== "" || isLoopback(host) || !isOAuthOn(app)) return;
  log.warn(
    { host },
    "CAIRN_URL is not set: links and OAuth name the listening address, which clients elsewhere refuse",
  );
}

/** Answers the address that links name. */
function announce(settings: Settings, port: number, setupLink: string | undefined): string {
  const host = settings.get("host");
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const base = settings.get("url").replace(/\/+$/, "") || address;
  if (setupLink) console.log(`No user yet. Create the first administrator at ${base}${setupLink}`);
  console.log(`Cairn is ready at ${address}`);
  return base;
}

async function welcomeBuilder(app: App, { address, opens }: { address: string; opens: boolean }): Promise<void> {
  for (const line of await describeForBuilder(app, address)) console.log(line);
  if (opens) openInBrowser(address, app.log);
}

function portOf(address: string | AddressInfo | undefined): number {
  return typeof address === "object" ? address.port : 0;
}

function newToken(): string {
  return randomBytes(24).toString("base64url");
}

function listenError(error: unknown, settings: Settings): Error {
  const { code } = error as NodeJS.ErrnoException;
  const address = `${settings.get("host")}:${settings.get("port")}`;
  if (code === "EADDRINUSE") return new Error(`The address ${address} is already in use.`);
  if (code === "EACCES") return new Error(`The address ${address} needs more rights: choose a port above 1023.`);
  if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL")
    return new Error(`The address ${address} does not belong to this machine.`);
  return error as Error;
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
}
