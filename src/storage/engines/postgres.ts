// The database server behind the port: a pool for statements and transactions, a smaller one for long work.
// A server that is away, or stands still, costs each caller an "unavailable" and nothing more: the pools connect again by
// themselves.

import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type PoolClient, type PoolConfig, type QueryResult } from "pg";
import type { Logger } from "pino";
import { createBudget } from "#lanes/budget.ts";
import type { ReadLimits, ReadOptions } from "#lanes/lanes.ts";
import { createCommitSteps } from "#storage/before-commit.ts";
import type { LastStatement, Reader, Storage, Tx, Value, VersionScope } from "#storage/port.ts";
import { asOptions, checkConnections, reasonOf, sessionSettings, shortSettings } from "./pools/session-settings.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { isConflict, isDisconnect, isMissingValue, translate } from "./postgres-errors.ts";
import { contract, findLost, migrate } from "./postgres-migrations.ts";
import { type Notices, openNotices, touch } from "./postgres-notices.ts";
import { createStatements, type ToQuery } from "./postgres-statements.ts";
import { openPostgresStreams } from "./postgres-streams.ts";
import { openQuestions } from "./questions/postgres-questions.ts";
import { createReplica } from "./replicas/postgres-replica.ts";

const poolSize = 16;
const longPoolSize = 4;
/** Callers get an error within five seconds when the server is away. */
const connectMs = 4_000;
/** A first page of many sorted rows may take long. */
const longReadFactor = 10;
/** A server that stands still does not say goodbye. */
const goodbyeMs = 1_000;
const maxTries = 8;
/** Any number; every process of an installation has the same. */
const maintenanceLock = 7_226_002;

/** What a machine that lost its power held is free again after a minute. Long work may stand still, whatever the role has. */
const longSettings = {
  ...sessionSettings,
  tcp_keepalives_idle: "30",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "3",
  idle_in_transaction_session_timeout: "0",
};
const unlimited: ReadLimits = { timeoutMs: 0, publicTimeoutMs: 0, budgetMs: 0, publicBudgetMs: 0 };

export interface PostgresOptions {
  databaseUrl: string;
  databaseReadUrl?: string | undefined;
  databaseDirectUrl?: string | undefined;
  connections?: number | undefined;
  prepares?: boolean | undefined;
  timeoutMs?: number;
  mustExist?: boolean;
  log: Logger;
  reads?: ReadOptions | undefined;
}

export async function openPostgres({
  databaseUrl,
  databaseReadUrl,
  databaseDirectUrl,
  connections = poolSize,
  prepares = true,
  timeoutMs = 0,
  mustExist,
  log,
  reads,
}: PostgresOptions): Promise<Storage> {
  const sockets = new Set<Socket>();
  const openSocket = () => track(sockets);
  const isPooled = Boolean(databaseDirectUrl);
  const config: PoolConfig = {
    connectionString: databaseDirectUrl || databaseUrl,
    stream: openSocket,
    application_name: "cairn",
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    options: asOptions(longSettings),
  };
  // A statement that is not answered cuts its connection; the server undoes what was under way there.
  const limit = timeoutMs > 0 ? { query_timeout: timeoutMs } : {};
  // A connection pool takes no options: they are set on the role (checkConnections).
  const options = isPooled ? undefined : asOptions({ ...longSettings, ...shortSettings });
  const short = { connectionString: databaseUrl, options, max: connections, pipeline: true, ...limit };
  const pool = createPool({ ...config, ...short }, log);
  const longPool = createPool({ ...config, max: longPoolSize }, log);
  // Questions and long reads take part of it each.
  const copies = { ...config, connectionString: databaseReadUrl, max: connections };
  const readPool = databaseReadUrl ? createPool(copies, log) : undefined;
  const replica = readPool && { pool: readPool, ...createReplica(pool, readPool) };
  let notices: Notices;
  try {
    await withClient(longPool, (client) => migrate(client, mustExist));
    await checkConnections(pool, { isPooled, prepares });
    notices = await openNotices({ ...config, ...limit, openSocket }, log);
  } catch (error) {
    await Promise.all([pool.end(), longPool.end(), readPool?.end()]);
    // Only the operator sees this one.
    throw new Error(`The database cannot be opened: ${reasonOf(error, isPooled)}`);
  }
  const toQuery = createStatements(prepares);
  const limits = reads?.limits ?? (() => unlimited);
  const budget = createBudget(limits);
  const lanes = openQuestions({ pool, isPooled, toQuery, replica, width: Math.floor(connections / 2), limits, budget });
  const streams = openPostgresStreams({
    ...{ pool: longPool, replica, guard, budget, log },
    // One connection is left to maintenance.
    width: longPoolSize - 1,
    reader: (client) => reader(client, toQuery),
    timeoutMs: timeoutMs * longReadFactor,
  });
  /** What waits for other processes takes one connection, however much there is to do. */
  let maintained: Promise<unknown> = Promise.resolve();

  async function guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isDisconnect(error)) notices.suspect();
      throw translate(error, log);
    }
  }

  async function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await withClient(pool, (client) => commit(client, work));
      } catch (error) {
        if (isDisconnect(error)) notices.suspect();
        if (!isConflict(error) || tries === maxTries) throw translate(error, log);
        await sleep(Math.random() * 10 * 2 ** tries);
      }
    }
  }

  async function commit<T>(client: PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
    const scopes = new Set<VersionScope>();
    const steps = createCommitSteps();
    const last: LastStatement[] = [];
    // Not waited for: it travels together with the first statement, which fails if it fails.
    const begun = client.query("BEGIN");
    begun.catch(() => {});
    try {
      const value = await work({
        ...reader(client, toQuery),
        run: async (sql, params = []) => (await client.query(toQuery(sql, params))).rowCount ?? 0,
        insert: async (sql, params) => (await client.query(toQuery(`${sql} RETURNING rid`, params))).rows[0].rid,
        touch: (scope) => scopes.add(scope),
        beforeCommit: steps.add,
        withCommit: (statement) => last.push(statement),
      });
      await steps.run();
      await begun;
      await end(client, scopes, last);
      return value;
    } catch (error) {
      // Where even this fails, the client is broken, and the pool drops it.
      await client.query("ROLLBACK").catch(() => {});
      throw error;
    }
  }

  /** All in one round trip. Where a statement fails, the server answers the COMMIT with a ROLLBACK, and no error. */
  async function end(
    client: PoolClient,
    scopes: ReadonlySet<VersionScope>,
    last: readonly LastStatement[],
  ): Promise<void> {
    const failures: unknown[] = [];
    for (const { sql, params, refusal } of last) {
      client.query(toQuery(sql, params)).catch((error) => failures.push(isMissingValue(error) ? refusal() : error));
    }
    if (scopes.size > 0)
      client
        .query({ ...(prepares && { name: "cairn_touch" }), text: touch, values: [notices.sender, [...scopes]] })
        .catch((error) => failures.push(error));
    notices.committing(scopes);
    let answer: QueryResult;
    try {
      answer = await client.query("COMMIT");
    } catch (error) {
      notices.unanswered(scopes);
      throw error;
    }
    if (answer.command !== "COMMIT") {
      notices.rolledBack(scopes);
      throw failures[0] ?? new Error("a failed statement was passed over");
    }
    notices.committed(scopes);
  }

  return {
    ...reader(pool, toQuery, guard),
    ask: (question) => guard(() => lanes.ask(question)),
    write,
    iterate: streams.iterate,
    view: streams.view,
    isShared: true,
    shared: {
      findLost: () => guard(() => withClient(longPool, findLost)),
      contract: (since) => guard(() => withClient(longPool, (client) => contract(client, since))),
      connections: () =>
        guard(async () => {
          const { rows } = await longPool.query<{ max_connections: string }>("SHOW max_connections");
          const own = (isPooled ? 0 : connections) + longPoolSize + 1;
          return { own, limit: Number(rows[0]?.max_connections) };
        }),
    },
    catchUp: notices.catchUp,
    version: notices.version,
    watch: notices.watch,
    settle: (ms) => guard(() => settle(pool, ms)),
    maintain(sql) {
      const work = () => guard(() => withClient(longPool, (client) => maintain(client, sql))).finally(lanes.forget);
      const turn = maintained.then(work);
      maintained = turn.catch(() => {});
      return turn;
    },
    ping: (check) =>
      guard(async () => {
        const text = check === "read" ? "SELECT 1" : "UPDATE migrations SET applied = applied WHERE false";
        // A health check needs a quick answer.
        const question = { text, query_timeout: Math.min(connectMs, timeoutMs || connectMs) };
        await pool.query(question);
      }),
    readCounts: () => ({ ...lanes.counts(), streams: streams.counts() }),
    async close() {
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, goodbyeMs);
      streams.close();
      await Promise.all([notices.close(), pool.end(), longPool.end(), readPool?.end()]);
      clearTimeout(timer);
    },
  };
}

function createPool(config: PoolConfig, log: Logger): Pool {
  const pool = new Pool(config);
  pool.on("error", (error) => log.warn({ err: error }, "lost an idle connection to the database"));
  // An error event without a listener would end the process; users of the client get the error from the statement.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

function track(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  return socket;
}

async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isLost = false;
  try {
    return await work(client);
  } catch (error) {
    isLost = isDisconnect(error);
    throw error;
  } finally {
    client.release(isLost);
  }
}

function reader(source: Pool | PoolClient, toQuery: ToQuery, guard = <T>(work: () => Promise<T>) => work()): Reader {
  const all = <T>(sql: string, params: readonly Value[] = []) =>
    guard(async () => (await source.query(toQuery(sql, params))).rows as T[]);
  return {
    dialect: postgresDialect,
    all,
    one: async <T>(sql: string, params?: readonly Value[]) => (await all<T>(sql, params))[0],
  };
}

/** A number given out now is higher than that of any open transaction: they are over when the lowest open one is not below it. */
async function settle(pool: Pool, ms: number): Promise<boolean> {
  const { rows } = await pool.query<{ number: string }>("SELECT pg_current_xact_id()::text AS number");
  const isOver = "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS is_true";
  for (const end = performance.now() + ms; ; await sleep(20)) {
    if (await isTrue(pool, isOver, [rows[0]?.number])) return true;
    if (performance.now() > end) return false;
  }
}

/** One at a time over all processes. An index that is invalid now was left behind by a build that was cut off. */
async function maintain(client: PoolClient, sql: string): Promise<number> {
  // Polled: an index build would wait forever for a session that waits inside a statement.
  while (!(await isTrue(client, `SELECT pg_try_advisory_lock(${maintenanceLock}) AS is_true`))) await sleep(200);
  try {
    const { rows } = await client.query<{ name: string }>(invalidIndexes);
    for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
    const began = performance.now();
    await client.query(sql);
    return performance.now() - began;
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${maintenanceLock})`).catch(() => {});
  }
}

const invalidIndexes = `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE NOT indisvalid AND indrelid = 'object_index'::regclass`;

async function isTrue(source: Pool | PoolClient, sql: string, params: unknown[] = []): Promise<boolean> {
  const { rows } = await source.query<{ is_true: boolean }>(sql, params);
  return rows[0]?.is_true === true;
}
