// The embedded engine where nothing can be written: a file system mounted read-only, a folder of another user.
// What is there is served, and every write is refused. It takes no lock, makes no file and changes nothing.

import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "pino";
import { CairnError, fail } from "#base/errors.ts";
import { createBudget } from "#lanes/budget.ts";
import type { ReadOptions } from "#lanes/lanes.ts";
import { pendingMigrations } from "#storage/migrate.ts";
import type { Storage, Value, View } from "#storage/port.ts";
import { answerQuestion } from "#storage/query/questions.ts";
import { connectReader, type ReaderFile } from "./sqlite-connect.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { openReaders } from "./sqlite-readers.ts";
import { openStreams } from "./sqlite-streams.ts";

const refusal = "Nothing can be written to the data directory.";

interface Options {
  log: Logger;
  reads?: ReadOptions | undefined;
}

export function isReadOnlyFolder(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    // One that is not there yet can be made, also by another process at this moment.
    return ["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}

export function openReadOnlySqlite(folder: string, { log, reads }: Options): Storage {
  const file = join(folder, "cairn.db");
  if (!existsSync(file)) fail("unavailable", `${refusal} There is no database in it either.`);
  const reader = connect(file);
  const applied = new Set(
    reader
      .prepare("SELECT name FROM migrations")
      .all()
      .map(({ name }) => String(name)),
  );
  if (pendingMigrations("sqlite", applied).length > 0) {
    reader.close();
    fail("unavailable", `${refusal} Its database is of an older version, and would have to be changed first.`);
  }
  log.warn("nothing can be written to the data directory: reads are served, writes are refused until the next start");
  const shared = reads && { ...reads, budget: createBudget(reads.limits), file: fileOf(file), log };
  const streams = shared && openStreams(shared);
  const readers = shared && openReaders(shared);
  const refuse = (): Promise<never> => Promise.reject(new CairnError("unavailable", refusal));
  return {
    ...viewOf(reader),
    ask: async (question) =>
      readers
        ? readers.ask(question)
        : answerQuestion(question, ({ sql, params }) => reader.prepare(sql).all(...params)),
    write: refuse,
    view: streams?.view ?? (async (work) => work(viewOf(reader))),
    iterate: streams?.iterate ?? viewOf(reader).iterate,
    version: () => 0,
    isShared: false,
    catchUp: async () => {},
    isReadOnly: true,
    watch: () => () => {},
    settle: async () => true,
    maintain: refuse,
    ping: async (check) => (check === "write" ? refuse() : void reader.prepare("SELECT 1").get()),
    ...(readers && { readCounts: () => ({ ...readers.counts(), streams: streams?.counts() }) }),
    async close() {
      await Promise.all([readers?.close(), streams?.close()]);
      reader.close();
    },
  };
}

/** Without a log the file is all there is; with one, it is the log that holds what was written last. */
function fileOf(file: string): ReaderFile {
  return { file, isImmutable: !existsSync(`${file}-wal`) };
}

function connect(file: string): DatabaseSync {
  try {
    const database = connectReader(fileOf(file));
    database.exec("SELECT 1 FROM migrations");
    return database;
  } catch {
    return fail("unavailable", `${refusal} Its database was not closed in order, and cannot be read without that.`);
  }
}

/** Nothing changes while it is open, so that every look is at the same moment. */
function viewOf(database: DatabaseSync): View {
  return {
    dialect: sqliteDialect,
    all: async <T>(sql: string, params: readonly Value[] = []) => database.prepare(sql).all(...params) as T[],
    one: async <T>(sql: string, params: readonly Value[] = []) => database.prepare(sql).get(...params) as T | undefined,
    async *iterate<T>(sql: string, params: readonly Value[], batchSize: number) {
      let batch: T[] = [];
      for (const row of database.prepare(sql).iterate(...params)) {
        if (batch.push(row as T) < batchSize) continue;
        yield batch;
        batch = [];
        await new Promise(setImmediate);
      }
      if (batch.length > 0) yield batch;
    },
  };
}
