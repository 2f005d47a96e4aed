// Notices what other processes write to the database. Asked with almost every request, so it must cost next to nothing.
// The header of the log's index differs after every commit, whoever makes it: while it is the same, nobody has written.
// Only when it differs is the database asked whether that was somebody else.

import { closeSync, openSync, readSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** The two equal copies of the header are 48 bytes each; one is enough to compare. */
const headerBytes = 48;

export interface ForeignChanges {
  /** How many were noticed so far. */
  count(): number;
  close(): void;
}

/** `writer`: the connection whose own commits are no news. */
export function followForeignChanges(writer: DatabaseSync, file: string): ForeignChanges {
  const dataVersion = writer.prepare("PRAGMA data_version");
  let seenVersion = readVersion();
  const index = openSync(`${file}-shm`, "r");
  let header = Buffer.alloc(headerBytes);
  let previous = Buffer.alloc(headerBytes);
  let changes = 0;
  let isFresh = false;

  /** It moves by what other connections write, and by nothing else. */
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
