// Connections of the embedded engine that only read: of the server's own thread, and of the threads beside it.

import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

export interface ReaderFile {
  file: string;
  /** Nothing can be written, and there is no log: the file is all there is. */
  isImmutable?: boolean;
}

export type ReaderFunctions = Record<"past_deadline", () => number>;

const unlimited: ReaderFunctions = { past_deadline: () => 0 };

/** Nothing is mapped: that counts as the process's memory, and gains nothing. */
export function connectReader(
  { file, isImmutable = false }: ReaderFile,
  functions: ReaderFunctions = unlimited,
): DatabaseSync {
  const address = pathToFileURL(file);
  if (isImmutable) address.searchParams.set("immutable", "1");
  const database = new DatabaseSync(address, { readOnly: true, timeout: 20 });
  for (const [name, work] of Object.entries(functions)) database.function(name, work);
  database.exec("PRAGMA mmap_size = 0; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY");
  return database;
}
