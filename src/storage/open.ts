// Chooses the engine: embedded by default, the database server when a URL names one.

import { join } from "node:path";
import type { Logger } from "pino";
import type { WriterLine } from "#base/writer-line.ts";
import type { ReadOptions } from "#lanes/lanes.ts";
import { markClaims } from "./claimed-writes.ts";
import type { PreparedRole } from "./engines/pools/session-settings.ts";
import type { Storage } from "./port.ts";

export type { PreparedRole };

export interface StorageOptions {
  dataDir: string;
  /** Empty: the embedded engine. */
  databaseUrl: string;
  /** A replica of that server, for queries that take long. */
  databaseReadUrl?: string | undefined;
  /** Around a pool of connections in transaction mode, which `databaseUrl` then leads to. */
  databaseDirectUrl?: string | undefined;
  /** For requests. */
  connections?: number | undefined;
  /** Whether the server keeps repeated statements parsed; true when left out. */
  prepares?: boolean | undefined;
  /** How long the database server may take over a statement; nothing or 0: as long as it likes. */
  timeoutMs?: number;
  role: "server" | "command";
  /** Of a worker on the embedded engine: the one that writes, or one that reads and has a line to it. */
  worker?: { isWriter: true; isLater: boolean } | { line: WriterLine } | undefined;
  /** Refuse a database server that has no tables yet, instead of making them. */
  mustExist?: boolean;
  log: Logger;
  /** For a server, where no request may wait for another's query. */
  reads?: ReadOptions | undefined;
}

/** Sets on the role what a pool of connections does not pass on. */
export async function prepareRole(databaseUrl: string): Promise<PreparedRole> {
  const pools = await import("./engines/pools/session-settings.ts");
  return pools.prepareRole(databaseUrl);
}

/** A lock that nobody refers to would be released. */
const held: unknown[] = [];

/** Of a supervisor, as long as it lives. */
export async function holdDataDir(dataDir: string): Promise<void> {
  const { takeServerLock } = await import("./engines/processes/server-lock.ts");
  held.push(takeServerLock(join(dataDir, ".system")));
}

export async function openStorage(options: StorageOptions): Promise<Storage> {
  return markClaims(await openEngine(options));
}

async function openEngine(options: StorageOptions): Promise<Storage> {
  if (options.databaseUrl) {
    const { openPostgres } = await import("./engines/postgres.ts");
    return openPostgres(options);
  }
  const { isReadOnlyFolder, openReadOnlySqlite } = await import("./engines/sqlite-read-only.ts");
  const folder = join(options.dataDir, ".system");
  if (isReadOnlyFolder(folder)) return openReadOnlySqlite(folder, options);
  const { worker, reads } = options;
  if (worker && "line" in worker && reads) {
    const { openFollower } = await import("./engines/processes/sqlite-follower.ts");
    return openFollower({ ...options, reads, line: worker.line });
  }
  const { openSqlite } = await import("./engines/sqlite.ts");
  const isLater = worker !== undefined && "isLater" in worker && worker.isLater;
  return openSqlite({ ...options, isHeld: worker !== undefined, isLater });
}
