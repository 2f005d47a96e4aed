// What a lone server and the supervisor of workers share: the setup token, the build of the admin, the line that says
// that the server is ready, the signals that stop it, and which of several workers writes.

import cluster from "node:cluster";
import { hash, randomBytes } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { parseDuration } from "./base/durations.ts";
import type { Settings } from "./config/config.ts";
import { onAdminHost } from "./content/site-address.ts";
import { type AdminBuild, type AdminBuildEnd, buildAdmin, noAdminBuild } from "./installation/admin-build.ts";

/** One token for all workers, so that any of them accepts the link on the console. */
export const setupTokenName = "CAIRN_SETUP_TOKEN";

/** From the supervisor to a worker: another one has taken its place, or is about to. */
export const replacedMessage = "replaced";
/** To one that reads: send nothing to the one that writes. */
export const holdMessage = "hold";
/** The new one is there. */
export const goOnMessage = "go on";
/** To the one that writes: nobody sends anything any more. */
export const endMessage = "end";
/** To the next one that writes: the one before has ended. */
export const beginMessage = "begin";

/** From a worker to the supervisor. */
export interface FromWorker {
  isReady?: true;
  setupLink?: string | undefined;
  /** It accepts no connections any more. */
  isLeaving?: true;
  /** The next one that writes: its code is loaded. */
  isStandby?: true;
  /** The one that writes: none of its own clients is left. */
  isAlone?: true;
  /** It sends nothing to the one that writes. */
  isHolding?: true;
}

export function tell(message: FromWorker): void {
  process.send?.(message);
}

/** In a worker: resolves when the supervisor has said so. */
export function hearing(expected: string): Promise<string> {
  return new Promise((resolve) => {
    if (cluster.isPrimary) return;
    process.on("message", (message) => message === expected && resolve(expected));
  });
}

export interface ServedBuild extends AdminBuild {
  /** Once the server listens. */
  begin(options: { address: string; log: Logger }): void;
  stop(): void;
}

/** The first process builds; workers wait for its word. */
export function createAdminBuild(settings: Settings): ServedBuild {
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

/** Answers the address that links name. */
export function announce(settings: Settings, port: number, setupLink: string | undefined): string {
  const host = settings.get("host");
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const base = settings.get("url").replace(/\/+$/, "") || address;
  const admin = onAdminHost(base, settings.get("site.adminHost"));
  if (setupLink) console.log(`No user yet. Create the first administrator at ${admin}${setupLink}`);
  console.log(`Cairn is ready at ${address}`);
  return base;
}

export function newToken(): string {
  return randomBytes(24).toString("base64url");
}

export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
}

/** In milliseconds. */
export function drainDelay(settings: Settings): number {
  return parseDuration(settings.get("drainDelay")) ?? 0;
}

/** SIGUSR2 is for the supervisor of workers; without a handler it would end this process. */
export function declineReplacement(log: Logger): () => void {
  const decline = () => {
    if (cluster.isPrimary)
      log.warn("SIGUSR2 replaces workers one by one, and this server has none: restart it instead");
  };
  process.on("SIGUSR2", decline);
  return () => process.off("SIGUSR2", decline);
}

const roleName = "CAIRN_WORKER_ROLE";
const socketName = "CAIRN_WRITER_SOCKET";
/** Longer paths of sockets are refused or cut by the system. */
const longestPath = 100;

/** `next-writer`: it waits until the present one has ended. `later-writer`: one has ended already. */
type Duty = "writer" | "later-writer" | "next-writer" | "reader";

export interface WorkerRole {
  duty: Duty;
  /** Where the one that writes answers the others. */
  socket: string;
}

export function workerEnvironment({ duty, socket }: WorkerRole): Record<string, string> {
  return { [roleName]: duty, [socketName]: socket };
}

/** Undefined: this process is alone, or the database is a server. */
export function takeWorkerRole(): WorkerRole | undefined {
  const { [roleName]: role, [socketName]: socket } = process.env;
  delete process.env[roleName];
  delete process.env[socketName];
  return role === undefined || socket === undefined ? undefined : { duty: role as Duty, socket };
}

/** In the data directory, which this process holds; where its path is too long, in a new folder that only this user can open. */
export function writerSocket(dataDir: string): string {
  const usual = join(dataDir, ".system", "writer.sock");
  if (Buffer.byteLength(usual) <= longestPath) return usual;
  // Of a server that was killed.
  removeSocketFolders(dataDir);
  return join(mkdtempSync(socketFolders(dataDir)), "writer.sock");
}

/** Those that were made because the path was too long. */
export function removeSocketFolders(dataDir: string): void {
  const start = socketFolders(dataDir);
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (!folder.startsWith(start)) continue;
    const found = lstatSync(folder, { throwIfNoEntry: false });
    // Other users may choose such a name too.
    if (found?.isDirectory() && found.uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true });
  }
}

/** How their paths begin. */
function socketFolders(dataDir: string): string {
  return join(tmpdir(), `cairn-${hash("sha256", resolve(dataDir), "hex").slice(0, 16)}-`);
}
