// Detects writes of other processes to the database. Called with almost every request, so it must cost almost nothing.
// The header of the log's index differs after every commit: while it is the same, nothing was written.
// Only when it differs is the database asked whether another process wrote.

import { closeSync, openSync, readSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** The two equal copies of the header are 48 bytes each; one is enough to compare. */
const headerBytes = 48;

export interface ForeignChanges {
  /** Number of changes so far. */
  count(): number;
  close(): void;
}

/** `writer`: the connection whose own commits are ignored. */
export function followForeignChanges(writer: DatabaseSync, file: string): ForeignChanges {
  const dataVersion = writer.prepare("PRAGMA data_version");
  let seenVersion = readVersion();
  const index = openSync(`${file}-shm`, "r");
  let header = Buffer.alloc(headerBytes);
  let previous = Buffer.alloc(headerBytes);
  let changes = 0;
  let isFresh = false;

  /** It moves only with writes of other connections. */
  function readVersion(): number {
    return (dataVersion.get() as { data_version: number }).data_version;
  }

  /** Once in a turn of the loop. */
  function look(): void {
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    readSync(index, header, 0, headerBytes, 0);
    if (header.equals(previous)) return;
    [header, previous] = [previous, header];
    const version = readVersion();
    if (version === seenVersion) return;
    seenVersion = version;
    changes += 1;
  }

  return {
    count() {
      if (!isFresh) look();
      return changes;
    },
    close: () => closeSync(index),
  };
}
