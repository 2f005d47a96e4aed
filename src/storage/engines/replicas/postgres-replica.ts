// A replica of the database server, for queries that take long: it is used when it has replayed all that the primary had
// written when the query came, so that no answer is older than an acknowledged write. Else the primary answers.

import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

/** How long a query waits for the replica to be as far. */
const waitMs = 50;
const stepMs = 5;
/** A replica that was away or behind is left alone for so long. */
const restMs = 1_000;

/** The name of a file of the log starts with its timeline. */
const position = `SELECT pg_current_wal_lsn()::text AS position,
    ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int AS timeline`;
/**
 * Not of a server that has become a primary itself: it may be another one's. Nor of one that follows a former primary: after a failover
 * its position may be higher, on a timeline without what was written since. A role without rights to the statistics is shown the timeline
 * of the last checkpoint only, and so waits for the next one.
 */
const isThere = `SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn AND
    coalesce((SELECT received_tli FROM pg_stat_wal_receiver), (pg_control_checkpoint()).timeline_id) = $2 AS is_there`;

interface Position {
  position: string;
  timeline: number;
}

export interface Replica {
  /** A connection to it; undefined: it is behind, or away. */
  find(): Promise<PoolClient | undefined>;
}

export function createReplica(primary: Pool, replica: Pool): Replica {
  let restsUntil = 0;

  async function find(): Promise<PoolClient | undefined> {
    if (performance.now() < restsUntil) return undefined;
    const end = performance.now() + waitMs;
    const { rows } = await primary.query<Position>(position);
    const found = rows[0] && (await findThere(rows[0], end));
    if (!found) restsUntil = performance.now() + restMs;
    return found;
  }

  /** Each step on the connection that is handed out: others may lead to other servers. */
  async function findThere(wanted: Position, end: number): Promise<PoolClient | undefined> {
    let isLate = false;
    const looking = (async () => {
      const client = await replica.connect();
      try {
        do {
          const { rows } = await client.query<{ is_there: boolean | null }>(isThere, [
            wanted.position,
            wanted.timeline,
          ]);
          if (rows[0]?.is_there && !isLate) return client;
          await sleep(stepMs);
        } while (!isLate && performance.now() < end);
        client.release();
      } catch {
        client.release(true);
      }
      return undefined;
    })().catch(() => undefined);
    const late = sleep(Math.max(0, end - performance.now()), undefined, { ref: false }).then(() => {
      isLate = true;
      return undefined;
    });
    const found = await Promise.race([looking, late]);
    if (!found) void looking.then((client) => client?.release());
    return found;
  }

  return { find };
}
