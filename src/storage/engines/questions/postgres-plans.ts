// How large a query is by its plan: what the database server expects to read, compare and sort. Unlike the time that the query
// takes, this does not depend on how busy the server is.

import type { Pool } from "pg";
import { numberParameters } from "#storage/engines/postgres-statements.ts";
import type { Question, Statement } from "#storage/port.ts";

/** In the planner's units, of which a page read in order is one. An idle server takes about 25 ms for so many. */
const largeCost = 5_000;

interface Explained {
  "QUERY PLAN": { Plan: { "Total Cost": number } }[];
}

/** Planned with its own values, one query at a time, so that it takes one connection at most. */
export function judgeByPlan(pool: Pool): (question: Question) => Promise<boolean> {
  let turn: Promise<unknown> = Promise.resolve();
  return ({ wanted }) => {
    const judged = turn.then(async () => {
      let cost = 0;
      for (const { attempts } of wanted) {
        for (const statement of attempts[0] ?? []) cost += await costOf(pool, statement);
        if (cost > largeCost) return true;
      }
      return false;
    });
    turn = judged.catch(() => {});
    return judged;
  };
}

async function costOf(pool: Pool, { sql, params }: Statement): Promise<number> {
  const text = `EXPLAIN (FORMAT JSON) ${numberParameters(sql)}`;
  const { rows } = await pool.query<Explained>(text, [...params]);
  return rows[0]?.["QUERY PLAN"][0]?.Plan["Total Cost"] ?? 0;
}
