// Migrations on the database server, where servers of two versions may run side by side. What only adds is applied at the start.
// What removes something (`.contract`) waits until no server is left that needs it, except in a new database.

import type { PoolClient } from "pg";
import {
  knownMigrations,
  type Migration,
  migrationsTable,
  pendingMigrations,
  refuseNewer,
  removes,
} from "#storage/migrate.ts";

/** Any number; every process of an installation has the same. */
const lock = 7_226_001;

/** Processes that start together wait for the first one, and then find nothing left to do. */
export function migrate(client: PoolClient, mustExist = false): Promise<void> {
  return locked(client, async () => {
    const { rows } = await client.query("SELECT to_regclass('migrations') IS NOT NULL AS is_there");
    if (mustExist && !rows[0]?.is_there) throw new Error("There is no site in it.");
    await client.query(migrationsTable);
    const applied = await listApplied(client);
    refuseNewer(applied);
    const pending = pendingMigrations("postgres", applied);
    for (const one of pending.filter(({ name }) => applied.size === 0 || !removes(name))) await apply(client, one);
  });
}

/** Applies what removes something, unless a process that was seen since does not have it. Answers the names. */
export function contract(client: PoolClient, since: string): Promise<string[]> {
  return locked(client, async () => {
    const done: string[] = [];
    for (const one of pendingMigrations("postgres", await listApplied(client)).filter(({ name }) => removes(name))) {
      const older = await client.query("SELECT 1 FROM nodes WHERE seen >= $1 AND knows < $2 LIMIT 1", [
        since,
        one.name,
      ]);
      if (older.rows.length > 0) break;
      await apply(client, one);
      done.push(one.name);
    }
    return done;
  });
}

/** What a newer version has removed that this one needs. */
export async function findLost(client: PoolClient): Promise<string | undefined> {
  const known = knownMigrations();
  return [...(await listApplied(client))].find((name) => removes(name) && !known.has(name));
}

async function listApplied(client: PoolClient): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM migrations");
  return new Set(rows.map((row) => row.name));
}

async function apply(client: PoolClient, { name, sql }: Migration): Promise<void> {
  await client.query(sql);
  await client.query("INSERT INTO migrations (name, applied) VALUES ($1, $2)", [name, new Date().toISOString()]);
}

async function locked<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN");
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${lock})`);
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
