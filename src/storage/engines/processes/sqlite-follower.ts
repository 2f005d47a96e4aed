// The embedded engine in a process that only reads, while another process of the same server writes. It follows the writer's
// commits by their versions; a write is refused as one for the writer, and notes are sent there.

import { join } from "node:path";
import type { Logger } from "pino";
import { NeedsWriter, type WriterLine } from "#base/writer-line.ts";
import { createBudget } from "#lanes/budget.ts";
import type { ReadOptions } from "#lanes/lanes.ts";
import { connectReader, mappedBytes } from "#storage/engines/sqlite-connect.ts";
import { sqliteDialect } from "#storage/engines/sqlite-dialect.ts";
import { gate } from "#storage/engines/sqlite-plan-gate.ts";
import { openReaders } from "#storage/engines/sqlite-readers.ts";
import { statementCache } from "#storage/engines/sqlite-statements.ts";
import { openStreams } from "#storage/engines/sqlite-streams.ts";
import { createNotes } from "#storage/notes.ts";
import type { Storage, Value } from "#storage/port.ts";
import { createWatchers } from "#storage/watchers.ts";
import { followVersions } from "./sqlite-versions.ts";

interface Options {
  dataDir: string;
  line: WriterLine;
  reads: ReadOptions;
  log: Logger;
}

export function openFollower({ dataDir, line, reads, log }: Options): Storage {
  const file = join(dataDir, ".system", "cairn.db");
  const reader = connectReader({ file }, { mapped: mappedBytes });
  reader.exec("PRAGMA cache_size = -32000");
  const prepareRead = statementCache(reader, gate);
  const shared = { ...reads, budget: createBudget(reads.limits), file: { file }, log };
  const streams = openStreams(shared);
  const readers = openReaders(shared);
  const watchers = createWatchers();
  const versions = followVersions({ file, reader, watchers });
  const notes = createNotes(sqliteDialect, line, log);
  /** How the last check of the writer ended. */
  let checked: Promise<unknown> | undefined;
  const refuse = (): Promise<never> => Promise.reject(new NeedsWriter());
  return {
    dialect: sqliteDialect,
    all: async <T>(sql: string, params: readonly Value[] = []) => prepareRead(sql).all<T>(params),
    one: async <T>(sql: string, params: readonly Value[] = []) => prepareRead(sql).get<T>(params),
    ask: readers.ask,
    write: refuse,
    note: notes.add,
    line,
    view: streams.view,
    iterate: streams.iterate,
    version: versions.of,
    anyVersion: versions.any,
    isShared: false,
    catchUp: async () => {},
    watch: watchers.add,
    settle: async () => true,
    maintain: refuse,
    async ping(check) {
      prepareRead("SELECT 1 AS alive").get();
      if (check !== "write") return;
      // Writes wait for the next writer: until it is there, the last answer counts.
      if (line.isHeld && checked) return void (await checked);
      const asked = line.call("ping", null);
      const end = () => {
        checked = asked;
      };
      asked.then(end, end);
      await asked;
    },
    readCounts: () => ({ ...readers.counts(), streams: streams.counts() }),
    async close() {
      await notes.close();
      await Promise.all([readers.close(), streams.close()]);
      versions.close();
      reader.close();
    },
  };
}
