// Chooses the engine: embedded by default, the database server when a URL names one.

import { join } from "node:path";
import type { Logger } from "pino";
import type { ReadOptions } from "#lanes/lanes.ts";
import { markClaims } from "./claimed-writes.ts";
import type { Storage } from "./port.ts";

export interface StorageOptions {
  dataDir: string;
  /** Empty: the embedded engine. */
  databaseUrl: string;
  /** How long the database server may take over a statement; nothing or 0: as long as it likes. */
  timeoutMs?: number;
  role: "server" | "command";
  /** Refuse a database server that has no tables yet, instead of making them. */
  mustExist?: boolean;
  log: Logger;
  /** For a server, where no request may wait for another's query. */
  reads?: ReadOptions | undefined;
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
  const { openSqlite } = await import("./engines/sqlite.ts");
  return openSqlite(options);
}
