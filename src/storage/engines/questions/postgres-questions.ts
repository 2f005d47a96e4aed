// Queries on the database server: each in a transaction of its own, which sees one moment and has the query's
// time limit. They take half of the connections at most, so that everything else always finds one.

import type { Pool, PoolClient, QueryResult } from "pg";
import type { Budget } from "#lanes/budget.ts";
import { createLanes, type Lanes, type Outcome, type ReadLimits, type Run, type RunTime } from "#lanes/lanes.ts";
import { createSharedClock } from "#lanes/shared-clock.ts";
import { isConflict, isDisconnect, isStopped } from "#storage/engines/postgres-errors.ts";
import type { ToQuery } from "#storage/engines/postgres-statements.ts";
import type { Replica } from "#storage/engines/replicas/postgres-replica.ts";
import type { Question, Row } from "#storage/port.ts";
import { answerLater, checkSize } from "#storage/query/questions.ts";
import { judgeByPlan } from "./postgres-plans.ts";

export interface QuestionsOptions {
  pool: Pool;
  /** The address leads to a pool in transaction mode: the connection of the server is known only inside of a transaction. */
  isPooled: boolean;
  toQuery: ToQuery;
  /** For those that take long. */
  replica?: { pool: Pool; find: Replica["find"] } | undefined;
  width: number;
  limits(): ReadLimits;
  budget: Budget;
}

export function openQuestions({ pool, isPooled, toQuery, replica, width, limits, budget }: QuestionsOptions): Lanes {
  const clock = createSharedClock();

  /** `end` runs before the transaction does: behind a pool its connection then belongs to somebody else. */
  async function answer(client: PoolClient, question: Question, { ms, begin, end }: Steps): Promise<Outcome> {
    const charge = clock.begin();
    const start = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${ms}`;
    // Not awaited: it is sent together with the first statement, which fails if it fails.
    const begun = client.query(isPooled ? `${start}; SELECT pg_backend_pid() AS pid` : start);
    if (!isPooled) begin(ownPid(client));
    begun.then((results) => isPooled && begin(findPid(results))).catch(() => {});
    let answer: Outcome["answer"];
    let workMs = 0;
    try {
      answer = await answerLater(question, async ({ sql, params }) => {
        const { rows } = await client.query(toQuery(sql, params));
        checkSize(rows);
        return rows as Row[];
      });
      await end();
      await client.query("COMMIT");
    } catch (error) {
      await end();
      await client.query("ROLLBACK").catch(() => {});
      if (!isStopped(error)) throw error;
    } finally {
      workMs = charge();
    }
    return { answer, workMs };
  }

  function run(question: Question, { ms, isSlow = false, onBegin }: RunTime): Run {
    let running: { source: Pool; processId: number | undefined } | undefined;
    let isCancelled = false;
    let cancelled: Promise<unknown> = Promise.resolve();
    async function work(): Promise<Outcome> {
      const copy = isSlow ? await replica?.find() : undefined;
      if (copy && replica) {
        try {
          return await workOn(replica.pool, copy);
        } catch (error) {
          // What it replays may stop a query, and it may go away. The primary answers then.
          if (!isConflict(error) && !isDisconnect(error)) throw error;
        }
      }
      return workOn(pool, await pool.connect());
    }
    async function workOn(source: Pool, client: PoolClient): Promise<Outcome> {
      let isLost = false;
      let isOver = false;
      const begin = (processId: number | undefined) => {
        if (isOver) return;
        running = { source, processId };
        if (isCancelled) cancel();
      };
      // Only this statement may be cancelled, not the next one on the same connection.
      const end = async () => {
        isOver = true;
        running = undefined;
        await cancelled;
      };
      try {
        onBegin();
        return await answer(client, question, { ms, begin, end });
      } catch (error) {
        isLost = isDisconnect(error);
        throw error;
      } finally {
        client.release(isLost);
      }
    }
    function cancel(): void {
      if (running?.processId === undefined) return;
      cancelled = running.source.query("SELECT pg_cancel_backend($1)", [running.processId]).catch(() => {});
    }
    return {
      outcome: work(),
      stop() {
        isCancelled = true;
        cancel();
      },
    };
  }

  return createLanes({ width, limits, budget, run, isLarge: judgeByPlan(pool) });
}

interface Steps {
  ms: number;
  begin(processId: number | undefined): void;
  end(): Promise<void>;
}

/** The number of the connection that a pool has chosen: of several statements, the last one's answer. */
function findPid(results: QueryResult | QueryResult[]): number | undefined {
  return Array.isArray(results) ? results.at(-1)?.rows[0]?.pid : undefined;
}

function ownPid(client: PoolClient): number | undefined {
  return (client as PoolClient & { processID?: number }).processID;
}
