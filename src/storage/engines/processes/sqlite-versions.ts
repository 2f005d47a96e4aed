// Versions of cached data, over all processes that have the database open. Each commit adds the scopes it touched to the table
// `versions`; other processes read the rows that they do not know. `version` is called with almost every request, so it must
// cost almost nothing: the header of the log's index differs after every commit, and while it is the same nothing is read.

import { closeSync, openSync, readSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { oncePerTurn } from "#base/caches/once-per-turn.ts";
import { createKnownChanges, type Touched } from "#storage/known-changes.ts";
import type { ObjectChange, VersionScope } from "#storage/port.ts";
import type { Watchers } from "#storage/watchers.ts";

/** The two equal copies of the header are 48 bytes each; one is enough to compare. */
const headerBytes = 48;
/** A process that has missed more rows than this takes everything for changed. */
const keptRows = 4_096;
const trimEvery = 1_024;

export interface Versions {
  of(scope: VersionScope): number;
  /** Moves whenever one of them does. */
  any(): number;
  /** Of this process's own commits, which are not read again. */
  committed(recorded: Recorded | undefined, touched: Touched): void;
  /** What own commits have changed since then; undefined where others have written, or that is not known. */
  changesSince(scope: VersionScope, version: number): readonly ObjectChange[] | undefined;
  close(): void;
}

/** The numbers of the rows that a commit has added. */
export interface Recorded {
  first: number;
  last: number;
}

export interface Followed {
  file: string;
  /** Sees what is committed, and nothing else. */
  reader: DatabaseSync;
  /** The connection of this process that writes, if it does. */
  writer?: DatabaseSync;
  watchers: Watchers;
}

export function followVersions({ file, reader, writer, watchers }: Followed): Versions {
  const touched = new Map<VersionScope, number>();
  const known = createKnownChanges();
  const newer = reader.prepare("SELECT n, scope FROM versions WHERE n > ? ORDER BY n");
  newer.setReturnArrays(true);
  let seen = Number(reader.prepare("SELECT max(n) AS n FROM versions").get()?.n ?? 0);
  const index = openSync(`${file}-shm`, "r");
  let header = Buffer.alloc(headerBytes);
  let previous = Buffer.alloc(headerBytes);
  let epoch = 0;
  let moves = 0;
  // It moves only with writes of other connections, and costs less than a look at the rows.
  const dataVersion = writer?.prepare("PRAGMA data_version");
  let seenVersion: unknown;
  const foreignVersion = () => dataVersion?.get()?.data_version;

  const look = oncePerTurn(() => {
    readSync(index, header, 0, headerBytes, 0);
    if (header.equals(previous)) return;
    const version = foreignVersion();
    if (version !== undefined && version === seenVersion) {
      [header, previous] = [previous, header];
      return;
    }
    const rows = newer.all(seen) as unknown as [n: number, scope: VersionScope][];
    [header, previous] = [previous, header];
    seenVersion = version;
    if (rows.length === 0) return;
    const isGap = rows[0]?.[0] !== seen + 1;
    seen = rows.at(-1)?.[0] ?? seen;
    if (isGap) {
      epoch += 1;
      moves += 1;
      watchers.notifyAll();
    } else for (const scope of new Set(rows.map(([, name]) => name))) move(scope);
  });

  function move(scope: VersionScope): void {
    moves += 1;
    touched.set(scope, (touched.get(scope) ?? 0) + 1);
    watchers.notify(scope);
  }

  const present = (scope: VersionScope) => epoch + (touched.get(scope) ?? 0);

  return {
    of(scope) {
      look();
      return present(scope);
    },
    any() {
      look();
      return moves;
    },
    committed(recorded, scopes) {
      // Rows of others that come before are read with the next look, and these with them.
      if (recorded?.first === seen + 1) seen = recorded.last;
      for (const [scope, changes] of scopes) {
        move(scope);
        if (changes) known.add(scope, present(scope), changes);
      }
    },
    changesSince(scope, version) {
      look();
      return known.between(scope, version, present(scope));
    },
    close: () => closeSync(index),
  };
}

/** Adds the scopes in the transaction that is open. */
export function createRecorder(writer: DatabaseSync): (touched: Touched) => Recorded | undefined {
  const insert = writer.prepare("INSERT INTO versions (scope) VALUES (?)");
  const trim = writer.prepare("DELETE FROM versions WHERE n <= ?");
  return (scopes) => {
    if (scopes.size === 0) return undefined;
    let last = 0;
    for (const scope of scopes.keys()) last = Number(insert.run(scope).lastInsertRowid);
    if (last % trimEvery < scopes.size) trim.run(last - keptRows);
    return { first: last - scopes.size + 1, last };
  };
}
