// Queries on the database server: each in a transaction of its own, which sees one moment and has the query's
// time limit. They take half of the connections at most, so that everything else always finds one.

import type { Pool, PoolClient } from "pg";
import type { Budget } from "#lanes/budget.ts";
import { createLanes, type Lanes, type Outcome, type ReadLimits, type Run, type RunTime } from "#lanes/lanes.ts";
import type { Question, Row } from "#storage/port.ts";
import { answerLater, checkSize } from "#storage/query/questions.ts";
import { isConflict, isDisconnect, isStopped } from "./postgres-errors.ts";
import type { ToQuery } from "./postgres-statements.ts";
import type { Replica } from "./replicas/postgres-replica.ts";

export interface QuestionsOptions {
  pool: Pool;
  toQuery: ToQuery;
  /** For those that take long. */
  replica?: { pool: Pool; find: Replica["find"] } | undefined;
  width: number;
  limits(): ReadLimits;
  budget: Budget;
}

export function openQuestions({ pool, toQuery, replica, width, limits, budget }: QuestionsOptions): Lanes {
  async function answer(client: PoolClient, question: Question, ms: number): Promise<Outcome> {
    const began = performance.now();
    // Not awaited: it is sent together with the first statement, which fails if it fails.
    const begun = client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${ms}`);
    begun.catch(() => {});
    let answer: Outcome["answer"];
    try {
      answer = await answerLater(question, async ({ sql, params }) => {
        const { rows } = await client.query(toQuery(sql, params));
        checkSize(rows);
        return rows as Row[];
      });
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      if (!isStopped(error)) throw error;
    }
    return { answer, spentMs: performance.now() - began };
  }

  function run(question: Question, { ms, isSlow = false, onBegin }: RunTime): Run {
    let running: { source: Pool; processId: number | undefined } | undefined;
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
      try {
        running = { source, processId: (client as PoolClient & { processID?: number }).processID };
        onBegin();
        return await answer(client, question, ms);
      } catch (error) {
        isLost = isDisconnect(error);
        throw error;
      } finally {
        running = undefined;
        // Only this statement may be cancelled, not the next one on the same connection.
        await cancelled;
        client.release(isLost);
      }
    }
    return {
      outcome: work(),
      stop() {
        if (running?.processId === undefined) return;
        cancelled = running.source.query("SELECT pg_cancel_backend($1)", [running.processId]).catch(() => {});
      },
    };
  }

  return createLanes({ width, limits, budget, run, goesOn: true });
}
