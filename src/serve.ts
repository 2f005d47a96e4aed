// The server process: open, listen, print the ready line, drain on a stop signal. With several workers the first process only
// supervises them (supervise.ts).

import cluster from "node:cluster";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describeForBuilder } from "./admin/site-check/describe-for-builder.ts";
import { openApp } from "./app.ts";
import { isLoopback } from "./base/net/addresses.ts";
import type { Settings } from "./config/config.ts";
import type { App } from "./context.ts";
import { retryFailed } from "./extensions/crashes.ts";
import { followExtensions } from "./extensions/follow-folders.ts";
import { preloadExtensions } from "./extensions/preload.ts";
import { createForwarder, type Forwarder } from "./http/forward/forwarder.ts";
import { openWriterDoor, type WriterDoor } from "./http/forward/writer-door.ts";
import { createWriterGate } from "./http/forward/writer-gate.ts";
import { openWriterLine } from "./http/forward/writer-line.ts";
import { allClosed, announceClose, drain, drainMs, type Served, stopAccepting } from "./http/hooks/drain.ts";
import { createSetupGate } from "./http/pages/setup.ts";
import { createServer } from "./http/server.ts";
import { openInBrowser } from "./installation/open-in-browser.ts";
import { isOAuthOn } from "./oauth/switch.ts";
import {
  announce,
  beginMessage,
  createAdminBuild,
  declineReplacement,
  drainDelay,
  endMessage,
  goOnMessage,
  hearing,
  holdMessage,
  newToken,
  replacedMessage,
  setupTokenName,
  stopSignal,
  takeWorkerRole,
  tell,
  type WorkerRole,
} from "./server-process.ts";
import { superviseWorkers } from "./supervise.ts";

/** The process ends within ten seconds, whatever hangs: limits for the rest after requests, and for both together. */
const closeMs = 6_000;
const endMs = 8_500;
/** Longer than the server keeps an idle connection, which it tells clients: none is surprised when it is closed. */
const handOverMs = 80_000;
/** What the writer's jobs may take before it is replaced: the next one takes over what is left. */
const jobsMs = 5_000;
/** Streams do not end by themselves, and hold up the next writer for no longer. */
const shortRequestsMs = 500;

export interface ServeOptions {
  /** `cairn dev`: pages follow changes at once and show warnings. */
  isDev?: boolean;
  /** Shows the site in a browser. */
  opens?: boolean;
  /** Where a debugger finds the thread of extensions. */
  inspectPort?: number | undefined;
}

export function serve(settings: Settings, options: ServeOptions = {}): Promise<number> {
  const workers = settings.get("workers");
  return workers > 1 && cluster.isPrimary ? superviseWorkers(settings, workers) : runServer(settings, options);
}

async function runServer(
  settings: Settings,
  { isDev = false, opens = false, inspectPort }: ServeOptions,
): Promise<number> {
  // Registered first: a caller may send a signal right after the ready line.
  const stopped = stopSignal();
  const replaced = hearing(replacedMessage);
  const role = takeWorkerRole();
  if (role?.duty === "next-writer" && !(await standBy(settings, stopped))) return 0;
  const worker = openWorker(role);
  const { app, calls, runJobs, pauseJobs, close } = await openApp(settings, "server", worker?.storage);
  if (!app.storage.line) await retryFailed(app);
  const token = process.env[setupTokenName] ?? newToken();
  delete process.env[setupTokenName];
  const setup = await createSetupGate(app, token);
  const adminBuild = createAdminBuild(settings);
  let isStopping = false;
  const forwarder = worker?.forwarder;
  const server = await createServer(app, { setup, adminBuild, isDev, isStopping: () => isStopping, forwarder });
  const path = worker?.doorPath;
  let door: WriterDoor | undefined;
  try {
    if (path !== undefined) door = await openWriterDoor(server, { path, calls, app });
    await server.listen({ host: settings.get("host"), port: settings.get("port") });
  } catch (error) {
    await server.close();
    await door?.drain(0);
    await close();
    throw listenError(error, settings);
  }
  runJobs();
  preloadExtensions(app, inspectPort).catch((error) => app.log.warn({ err: error }, "extensions were not loaded"));
  const forget = declineReplacement(app.log);
  const unfollow = isDev ? followExtensions(app) : () => {};
  if ((cluster.worker?.id ?? 1) === 1) warnOfAddress(app);
  if (cluster.isPrimary) {
    const address = announce(settings, portOf(server.addresses()[0]), setup.link);
    adminBuild.begin({ address, log: app.log });
    if (isDev) await welcomeBuilder(app, { address, opens });
  } else tell({ isReady: true, setupLink: setup.link });
  const isReplaced = (await Promise.race([stopped, replaced])) === replacedMessage;
  app.log.info(isReplaced ? "being replaced" : "stopping");
  unfollow();
  adminBuild.stop();
  announceClose(server);
  if (isReplaced) {
    await handOver(server, stopped);
    if (door) await yieldWriting(door, { stopped, pauseJobs });
  } else {
    isStopping = true;
    await sleep(drainDelay(settings));
  }
  const end = performance.now() + endMs;
  // Other processes forward what they have begun to answer.
  await Promise.all([drain(server), door?.drain(drainMs)]);
  await close(Math.min(closeMs, Math.max(endMs - drainMs, end - performance.now())));
  forget();
  worker?.close();
  // The channel to the first process would keep this one alive.
  if (cluster.isWorker) process.disconnect();
  return 0;
}

interface OpenWorker {
  storage: NonNullable<Parameters<typeof openApp>[2]>;
  /** Where the process that writes answers the others. */
  doorPath?: string;
  /** To that one. */
  forwarder?: Forwarder;
  close(): void;
}

function openWorker(role: WorkerRole | undefined): OpenWorker | undefined {
  if (!role) return undefined;
  const { duty, socket } = role;
  if (duty !== "reader") {
    const isLater = duty !== "writer";
    return { storage: { isWriter: true, isLater }, doorPath: socket, close: () => {} };
  }
  const gate = createWriterGate();
  void process.on("message", (message) => {
    if (message === goOnMessage) gate.open();
    if (message !== holdMessage) return;
    gate.hold();
    tell({ isHolding: true });
  });
  const line = openWriterLine(socket, gate);
  const forwarder = createForwarder(socket, gate);
  const close = () => {
    line.close();
    forwarder.close();
  };
  return { storage: { line }, forwarder, close };
}

/** New connections go to other workers at once. Those of this one end with their next answer, or when they were idle for long. */
async function handOver(server: Served, stopped: Promise<unknown>): Promise<void> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), handOverMs);
  void stopped.then(() => ending.abort());
  stopAccepting(server);
  tell({ isLeaving: true });
  await allClosed(server, ending.signal);
  clearTimeout(timer);
}

/** Of the process that writes for others. What they have sent is answered; what they would send waits for the next writer. */
async function yieldWriting(door: WriterDoor, { stopped, pauseJobs }: Yielding): Promise<void> {
  const told = hearing(endMessage);
  await Promise.race([pauseJobs(jobsMs), stopped]);
  door.announceClose();
  tell({ isAlone: true });
  await Promise.race([told, stopped]);
  await door.emptied(shortRequestsMs);
}

interface Yielding {
  stopped: Promise<unknown>;
  pauseJobs(ms: number): Promise<void>;
}

/** The code is loaded, and nothing is open yet. False: the server stops. */
async function standBy(settings: Settings, stopped: Promise<unknown>): Promise<boolean> {
  const told = hearing(beginMessage);
  tell({ isStandby: true });
  const isNext = (await Promise.race([told, stopped])) === beginMessage;
  if (isNext) settings.reload();
  else process.disconnect();
  return isNext;
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

async function welcomeBuilder(app: App, { address, opens }: { address: string; opens: boolean }): Promise<void> {
  for (const line of await describeForBuilder(app, address)) console.log(line);
  if (opens) openInBrowser(address, app.log);
}

function portOf(address: string | AddressInfo | undefined): number {
  return typeof address === "object" ? address.port : 0;
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
