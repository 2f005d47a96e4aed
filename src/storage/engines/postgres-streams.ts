// Long reads on the database server: each by a cursor on a connection of its own, and never on all connections for long work.

import type { Pool, PoolClient } from "pg";
import Cursor from "pg-cursor";
import type { Logger } from "pino";
import { temporarilyUnavailable } from "#base/errors.ts";
import type { Budget } from "#lanes/budget.ts";
import { type Caller, service } from "#lanes/caller.ts";
import { createStreamTurns, type Place } from "#lanes/stream-turns.ts";
import type { Reader, Storage, StreamCounts, Value } from "#storage/port.ts";
import { numberParameters, types } from "./postgres-statements.ts";
import type { Replica } from "./replicas/postgres-replica.ts";

export interface PostgresStreamsOptions {
  pool: Pool;
  replica?: Replica | undefined;
  /** Number of connections they may take. */
  width: number;
  reader(client: PoolClient): Reader;
  guard<T>(work: () => Promise<T>): Promise<T>;
  /** Time limit of one batch; 0: none. */
  timeoutMs: number;
  budget: Budget;
  log: Logger;
}

export interface PostgresStreams extends Pick<Storage, "iterate" | "view"> {
  counts(): StreamCounts;
  close(): void;
}

interface Session {
  client: PoolClient;
  place: Place;
  /** The connection is clean; without this it is closed. */
  finish(): void;
}

export function openPostgresStreams({
  pool,
  replica,
  width,
  reader,
  guard,
  timeoutMs,
  budget,
  log,
}: PostgresStreamsOptions): PostgresStreams {
  const turns = createStreamTurns({ width, budget, log });
  const places = new Set<Place>();

  async function open(caller: Caller): Promise<Session> {
    let client: PoolClient | undefined;
    const release = (isLost: boolean) => {
      client?.release(isLost);
      client = undefined;
    };
    const place = await turns.enter(caller, () => {
      places.delete(place);
      release(true);
    });
    places.add(place);
    try {
      // The service's own reads may take hours, which a replica may cut short.
      const copy = caller.name === service.name ? undefined : await guard(async () => replica?.find());
      client = copy ?? (await guard(() => pool.connect()));
    } catch (error) {
      place.leave();
      throw error;
    }
    const finish = () => {
      release(false);
      place.leave();
    };
    return { client, place, finish };
  }

  async function* batches<T>(place: Place, read: () => Promise<T[]>): AsyncIterable<T[]> {
    for (;;) {
      const began = performance.now();
      const rows = await read();
      place.spend(performance.now() - began);
      if (rows.length === 0) return;
      place.hand();
      try {
        yield rows;
      } finally {
        place.takeBack();
      }
      if (place.isOver) throw temporarilyUnavailable("The answer was not read for a minute.");
    }
  }

  return {
    async *iterate<T>(sql: string, params: readonly Value[], batchSize: number, caller = service): AsyncIterable<T[]> {
      const { client, place, finish } = await open(caller);
      try {
        const cursor = client.query(new Cursor<T>(numberParameters(sql), [...params], { types }));
        yield* batches(place, () => guard(() => orCut(client, timeoutMs, cursor.read(batchSize))));
        finish();
      } finally {
        place.leave();
      }
    },
    async view<T>(work: Parameters<Storage["view"]>[0], caller = service): Promise<T> {
      const { client, place, finish } = await open(caller);
      const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
      client.once("end", lose);
      try {
        return (await guard(async () => {
          await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
          return work({
            ...reader(client),
            async *iterate<R>(sql: string, params: readonly Value[], batchSize: number): AsyncIterable<R[]> {
              const cursor = client.query(new Cursor<R>(numberParameters(sql), [...params], { types }));
              try {
                yield* batches(place, () => orCut(client, timeoutMs, cursor.read(batchSize)));
              } finally {
                // A connection that is lost never says that the cursor is closed.
                if (!place.isOver) await Promise.race([cursor.close(), lost]);
              }
            },
          });
        })) as T;
      } finally {
        if (!place.isOver) {
          await client.query("ROLLBACK").catch(() => {});
          finish();
        }
        client.off("end", lose);
      }
    },
    counts: turns.counts,
    close() {
      turns.close();
      // Nobody may read on, and the pool would wait for their connections.
      for (const place of places) place.leave();
    },
  };
}

/** A late answer fails with its connection. Ending a client with pending queries cuts it. */
async function orCut<T>(client: PoolClient, ms: number, answer: Promise<T>): Promise<T> {
  const timer = ms > 0 ? setTimeout(() => void client.end().catch(() => {}), ms) : undefined;
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}
