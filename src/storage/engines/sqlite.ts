// The embedded engine: one file, one writer, WAL, synchronous=FULL.
// Writes that arrive together share one commit and are answered after it; one that fails does so alone.
// Readers have a connection of their own, so that they never see what is not committed.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { CairnError, temporarilyUnavailable } from "#base/errors.ts";
import { type Batch, waitForBatch } from "#base/event-loop.ts";
import { createBudget } from "#lanes/budget.ts";
import type { ReadOptions } from "#lanes/lanes.ts";
import { type CommitSteps, createCommitSteps } from "#storage/before-commit.ts";
import { addTouch, addTouched, type Touched } from "#storage/known-changes.ts";
import { migrationsTable, pendingMigrations, refuseNewer, removes } from "#storage/migrate.ts";
import { type Storage, type Tx, UniqueViolation, type Value, type View } from "#storage/port.ts";
import { answerQuestion } from "#storage/query/questions.ts";
import { createWatchers } from "#storage/watchers.ts";
import { isServerRunning, takeServerLock, takeWriterLock } from "./processes/server-lock.ts";
import { createRecorder, followVersions } from "./processes/sqlite-versions.ts";
import { createCheckpoints } from "./sqlite-checkpoints.ts";
import { connectReader, mappedBytes } from "./sqlite-connect.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { isLarge, problemOf, quickCheck, refuseDamagedFiles, refuseWhenDamaged } from "./sqlite-health.ts";
import { gate } from "./sqlite-plan-gate.ts";
import { openReaders } from "./sqlite-readers.ts";
import { inBatches, prepare, statementCache } from "./sqlite-statements.ts";
import { openStreams } from "./sqlite-streams.ts";
import { openSqliteWorker, type SqliteWorker } from "./sqlite-worker.ts";

const code = { busy: 5, readOnly: 8, io: 10, full: 13, primaryKey: 1555, unique: 2067 };
const maxBatch = 256;
/** A batch that has run this long commits, so that readers get their turn. */
const maxBatchMs = 10;
const busyPatienceMs = 30_000;
/** Between two transactions while a statement of maintenance waits: SQLite tries again at least this often to begin it. */
const gapMs = 110;
/** What waits longer does not wait for these transactions. */
const givesWayMs = 5_000;
const pageSize = 8_192;

interface Job {
  work: (tx: Tx) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** What a batch will answer once it has committed. */
interface Outcome {
  settled: (() => void)[];
  touched: Touched;
}

interface WatchedTx extends Tx {
  touched: Touched;
  steps: CommitSteps;
  hasWritten: boolean;
}

export interface SqliteOptions {
  dataDir: string;
  /** A server holds the data directory for itself; commands work beside it. */
  role: "server" | "command";
  /** The supervisor of this process holds the data directory: this is the one of its workers that writes. */
  isHeld?: boolean | undefined;
  /** Others of them may run older code: nothing is removed that it needs. */
  isLater?: boolean | undefined;
  log: Logger;
  /** Without it questions are answered on this thread, however long that takes. */
  reads?: ReadOptions | undefined;
}

export async function openSqlite(options: SqliteOptions): Promise<Storage> {
  const folder = join(options.dataDir, ".system");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const take = options.isHeld ? takeWriterLock : takeServerLock;
  const lock = options.role === "server" ? take(folder) : undefined;
  const file = join(folder, "cairn.db");
  // Whatever a running server has opened was looked at then.
  if (lock || !isServerRunning(folder)) refuseDamagedFiles(file, options.role);
  const writer = await whenFree(() => refuseWhenDamaged(() => connect(file, false)));
  await migrate(writer, options.isLater);
  const beside = openSqliteWorker(file);
  if (options.role === "server" && isLarge(file)) lookThrough(beside, options.log);
  const reader = connect(file, true);
  const check = options.reads && gate;
  const prepareRead = statementCache(reader, check);
  const prepareWrite = statementCache(writer, check);
  const { reads, log } = options;
  const shared = reads && { ...reads, budget: createBudget(reads.limits), file: { file }, log };
  const streams = shared && openStreams(shared);
  const readers = shared && openReaders(shared);

  // A command holds up only itself.
  const isServer = options.role === "server";
  // Not behind an index that is being built: writers may wait for it.
  const checkpointer = openSqliteWorker(file);
  const checkpoints = isServer ? createCheckpoints(writer, checkpointer, options.log) : undefined;
  writer.exec(`PRAGMA wal_autocheckpoint = ${isServer ? 0 : 2_000}`);

  const statement = {
    begin: writer.prepare("BEGIN IMMEDIATE"),
    commit: writer.prepare("COMMIT"),
  };

  const queue: Job[] = [];
  let isDraining = false;
  const lastBatch: Batch = { size: 0, ms: 0 };
  let lastCommit = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  let givesWayUntil = Number.NEGATIVE_INFINITY;

  const watchers = createWatchers();
  const versions = followVersions({ file, reader, writer, watchers });
  const record = createRecorder(writer);

  async function drain(): Promise<void> {
    isDraining = true;
    while (queue.length > 0) {
      await waitForBatch(queue, lastBatch);
      const began = performance.now();
      lastBatch.size = await runBatch();
      lastBatch.ms = performance.now() - began;
      await new Promise(setImmediate);
      await checkpoints?.afterCommit();
      // One transaction after the other would leave no moment for an index that makes them cheaper.
      if (performance.now() < givesWayUntil) await sleep(gapMs);
    }
    isDraining = false;
  }

  /**
   * All in one transaction without savepoints, which would make the full-text index write a segment for each job.
   * When a job fails after it has written, the batch is undone and run again, this time with a savepoint each.
   * Resolves to how many there were.
   */
  async function runBatch(): Promise<number> {
    const taken: Job[] = [];
    try {
      await begin(statement.begin);
      const outcome = (await runTogether(taken)) ?? (await runApart(taken));
      const recorded = record(outcome.touched);
      statement.commit.run();
      lastCommit = performance.now();
      versions.committed(recorded, outcome.touched);
      for (const settle of outcome.settled) settle();
    } catch (error) {
      if (writer.isTransaction) writer.exec("ROLLBACK");
      const failure = translate(error, options.log);
      if (taken.length === 0) taken.push(...queue.splice(0));
      for (const job of taken) job.reject(failure);
    }
    return taken.length;
  }

  /** Undefined when it has to be done again, apart. */
  async function runTogether(taken: Job[]): Promise<Outcome | undefined> {
    const outcome: Outcome = { settled: [], touched: new Map() };
    const started = performance.now();
    while (taken.length < maxBatch && performance.now() - started < maxBatchMs) {
      const job = queue.shift();
      if (!job) break;
      taken.push(job);
      const tx = transaction();
      try {
        noteDone(job, await perform(job, tx), tx, outcome);
      } catch (error) {
        // A full disk ends the whole transaction by itself: what came next would stand alone, and stay.
        if (tx.hasWritten || !writer.isTransaction) return undefined;
        outcome.settled.push(() => job.reject(translate(error, options.log)));
      }
    }
    return outcome;
  }

  async function runApart(taken: Job[]): Promise<Outcome> {
    if (writer.isTransaction) writer.exec("ROLLBACK");
    await begin(statement.begin);
    const outcome: Outcome = { settled: [], touched: new Map() };
    for (const job of taken) {
      writer.exec("SAVEPOINT job");
      const tx = transaction();
      try {
        const value = await perform(job, tx);
        writer.exec("RELEASE job");
        noteDone(job, value, tx, outcome);
      } catch (error) {
        if (!writer.isTransaction) throw error;
        writer.exec("ROLLBACK TO job; RELEASE job");
        outcome.settled.push(() => job.reject(translate(error, options.log)));
      }
    }
    return outcome;
  }

  async function perform(job: Job, tx: WatchedTx): Promise<unknown> {
    const value = await job.work(tx);
    const steps = tx.steps.run();
    if (steps !== undefined) await steps;
    return value;
  }

  function noteDone(job: Job, value: unknown, { touched }: WatchedTx, outcome: Outcome): void {
    addTouched(outcome.touched, touched);
    outcome.settled.push(() => job.resolve(value));
  }

  function transaction(): WatchedTx {
    const touched: Touched = new Map();
    const steps = createCommitSteps();
    const tx: WatchedTx = {
      dialect: sqliteDialect,
      touched,
      steps,
      beforeCommit: steps.add,
      hasWritten: false,
      all: async <T>(sql: string, params: readonly Value[] = []) => {
        const rows = run(() => prepareWrite(sql).all<T>(params));
        tx.hasWritten ||= !sql.startsWith("SELECT");
        return rows;
      },
      one: async <T>(sql: string, params: readonly Value[] = []) => {
        const row = run(() => prepareWrite(sql).get<T>(params));
        tx.hasWritten ||= !sql.startsWith("SELECT");
        return row;
      },
      run: async (sql, params = []) => {
        const { changes } = run(() => prepareWrite(sql).run(params));
        tx.hasWritten = true;
        return Number(changes);
      },
      insert: async (sql, params) => {
        const { lastInsertRowid } = run(() => prepareWrite(sql).run(params));
        tx.hasWritten = true;
        return Number(lastInsertRowid);
      },
      touch: (scope, change) => addTouch(touched, scope, change),
    };
    return tx;
  }

  function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (isClosed) return Promise.reject(new CairnError("unavailable"));
    return new Promise<T>((resolve, reject) => {
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (isDraining) return;
      isDraining = true;
      setImmediate(() => void drain());
    });
  }

  async function* iterateHere<T>(sql: string, params: readonly Value[], batchSize: number): AsyncIterable<T[]> {
    const own = connectReader({ file });
    try {
      own.exec("BEGIN");
      yield* inBatches<T>(prepare(own, sql), params, batchSize);
    } finally {
      own.close();
    }
  }

  async function viewHere<T>(work: (view: View) => Promise<T>): Promise<T> {
    const own = connectReader({ file });
    try {
      own.exec("BEGIN");
      // The first read fixes the moment.
      own.prepare("SELECT 1 FROM migrations").get();
      return await work({
        dialect: sqliteDialect,
        all: async <R>(sql: string, params: readonly Value[] = []) => prepare(own, sql).all<R>(params),
        one: async <R>(sql: string, params: readonly Value[] = []) => prepare(own, sql).get<R>(params),
        iterate: (sql, params, batchSize) => inBatches(prepare(own, sql), params, batchSize),
      });
    } finally {
      own.close();
    }
  }

  return {
    dialect: sqliteDialect,
    all: async <T>(sql: string, params: readonly Value[] = []) => prepareRead(sql).all<T>(params),
    one: async <T>(sql: string, params: readonly Value[] = []) => prepareRead(sql).get<T>(params),
    ask: async (question) =>
      readers ? readers.ask(question) : answerQuestion(question, ({ sql, params }) => prepareRead(sql).all(params)),
    write,
    iterate: streams?.iterate ?? iterateHere,
    view: streams?.view ?? viewHere,
    version: versions.of,
    anyVersion: versions.any,
    changesSince: versions.changesSince,
    isShared: false,
    catchUp: async () => {},
    watch: watchers.add,
    // Of all processes one writes at a time.
    settle: async () => true,
    async maintain(sql) {
      givesWayUntil = performance.now() + givesWayMs;
      const began = performance.now();
      try {
        await beside.run(sql);
        readers?.forget();
        return performance.now() - began;
      } catch (error) {
        options.log.warn({ err: error }, "the database refused maintenance");
        throw error;
      } finally {
        givesWayUntil = Number.NEGATIVE_INFINITY;
      }
    },
    lastCommit: () => lastCommit,
    async ping(check) {
      prepareRead("SELECT 1 AS alive").get();
      // An empty transaction would not touch the disk.
      if (check === "write") await write((tx) => tx.run(pingWrite, [new Date().toISOString()]));
    },
    ...(readers && { readCounts: () => ({ ...readers.counts(), streams: streams?.counts() }) }),
    async close() {
      isClosed = true;
      while (isDraining) await new Promise(setImmediate);
      await Promise.all([beside.close(), checkpointer.close(), readers?.close(), streams?.close()]);
      versions.close();
      reader.close();
      writer.close();
      lock?.close();
    },
  };
}

function connect(file: string, readOnly: boolean): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly, timeout: 20 });
  try {
    // What is mapped counts as the process's memory: enough for what is read often, nothing for the writer.
    if (readOnly) {
      database.exec(`PRAGMA mmap_size = ${mappedBytes}`);
      database.function("past_deadline", () => 0);
    }
    // A new database gets pages that hold several documents of common size; an old one keeps those it has.
    else database.exec(`PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
    // Pages of the log are kept here; those of the file are mapped for readers.
    database.exec(`PRAGMA cache_size = ${readOnly ? -8000 : -16_000}; PRAGMA temp_store = MEMORY`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A large database is served meanwhile; damage is logged. */
function lookThrough(beside: SqliteWorker, log: Logger): void {
  beside
    .run(quickCheck)
    .then((rows) => {
      const problem = problemOf(rows);
      if (problem)
        log.fatal({ problem }, "the database is damaged: restore the last backup into a fresh data directory");
    })
    .catch((error: unknown) => {
      // The server was stopped meanwhile.
      if (error instanceof CairnError) return;
      log.error({ err: error }, "the database could not be looked through");
    });
}

async function migrate(writer: DatabaseSync, isLater = false): Promise<void> {
  await begin(writer.prepare("BEGIN IMMEDIATE"));
  try {
    writer.exec(migrationsTable);
    const applied = new Set(
      writer
        .prepare("SELECT name FROM migrations")
        .all()
        .map((row) => String(row.name)),
    );
    refuseNewer(applied);
    for (const { name, sql } of pendingMigrations("sqlite", applied)) {
      if (isLater && removes(name)) continue;
      writer.exec(sql);
      writer.prepare("INSERT INTO migrations (name, applied) VALUES (?, ?)").run(name, new Date().toISOString());
    }
    writer.exec("COMMIT");
  } catch (error) {
    if (writer.isTransaction) writer.exec("ROLLBACK");
    return refuseWhenDamaged(() => {
      throw error;
    });
  }
}

const pingWrite =
  "INSERT INTO stamps (scope, stamped) VALUES ('ping', ?) ON CONFLICT (scope) DO UPDATE SET stamped = excluded.stamped";

const begin = (statement: StatementSync) => whenFree(() => statement.run());

/** Another process may be writing, or making the database as well: waits for it without stopping this one. */
async function whenFree<T>(work: () => T): Promise<T> {
  const deadline = performance.now() + busyPatienceMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(errorCode(error)) || performance.now() > deadline) throw error;
    }
    await sleep(pause);
  }
}

function run<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const errcode = errorCode(error);
    if (errcode === code.unique || errcode === code.primaryKey) throw new UniqueViolation();
    throw error;
  }
}

function errorCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
}

/** In whichever form: another process writes, or mends what one that died has left. */
function isBusy(errcode: number | undefined): boolean {
  return errcode !== undefined && (errcode & 0xff) === code.busy;
}

/** What the caller may know of a failed write; the rest goes to the log. */
function translate(error: unknown, log: Logger): unknown {
  const errcode = errorCode(error);
  if (errcode === undefined) return error;
  log.error({ err: error }, "the database refused a write");
  if (errcode === code.full) return new CairnError("storage-full");
  if (isBusy(errcode)) return temporarilyUnavailable();
  // A used-up quota and a failing disk look the same; the log has the difference for the operator.
  if ([code.readOnly, code.io].includes(errcode & 0xff)) return new CairnError("unavailable");
  return new CairnError("internal");
}
