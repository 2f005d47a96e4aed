// Connections of the embedded engine that only read: of the server's own thread, and of the threads beside it.

import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

export interface ReaderFile {
  file: string;
  /** Nothing can be written, and there is no log: the file is all there is. */
  isImmutable?: boolean;
}

/** Of connections that answer requests: what is read often. */
export const mappedBytes = 256 * 1024 * 1024;
/** Of each thread: all of a small site, and little of a large one, where each thread would count its part again. */
export const threadMappedBytes = 32 * 1024 * 1024;

export type ReaderFunctions = Record<"past_deadline", () => number>;

const unlimited: ReaderFunctions = { past_deadline: () => 0 };

export interface ReaderOptions {
  functions?: ReaderFunctions;
  /**
   * Bytes of the file. What is mapped counts as the process's memory, and saves a copy of each page that is read: worth it
   * where the same pages are read again and again.
   */
  mapped?: number;
}

export function connectReader(
  { file, isImmutable = false }: ReaderFile,
  { functions = unlimited, mapped = 0 }: ReaderOptions = {},
): DatabaseSync {
  const address = pathToFileURL(file);
  if (isImmutable) address.searchParams.set("immutable", "1");
  const database = new DatabaseSync(address, { readOnly: true, timeout: 20 });
  for (const [name, work] of Object.entries(functions)) database.function(name, work);
  database.exec(`PRAGMA mmap_size = ${mapped}; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY`);
  return database;
}
