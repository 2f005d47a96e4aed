// The lock of a server on its data directory: held by an open transaction on a file of its own, and so it ends with its process,
// however that ends.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fail } from "#base/errors.ts";

export interface ServerLock {
  close(): void;
}

const serverFile = "server.lock";
/** Of the process that writes for several; the supervisor of these holds the first. */
const writerFile = "writer.lock";

/** `folder`: `.system` of the data directory. */
export function takeServerLock(folder: string): ServerLock {
  return (
    hold(join(folder, serverFile), 1_000) ??
    fail("unavailable", "Another Cairn server is already running on this data directory.")
  );
}

/** Waits for a writer before this one that has not quite ended. */
export function takeWriterLock(folder: string): ServerLock {
  return (
    hold(join(folder, writerFile), 15_000) ??
    fail("unavailable", "The process that wrote before this one has not ended.")
  );
}

function hold(file: string, timeout: number): ServerLock | undefined {
  const lock = new DatabaseSync(file, { timeout });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch {
    lock.close();
    return undefined;
  }
}

/** A server holds its lock against readers too. */
export function isServerRunning(folder: string): boolean {
  const file = join(folder, serverFile);
  if (!existsSync(file)) return false;
  const lock = new DatabaseSync(file, { readOnly: true });
  try {
    lock.prepare("SELECT 1 FROM sqlite_schema").get();
    return false;
  } catch {
    return true;
  } finally {
    lock.close();
  }
}
