// What Cairn asks of its connections to PostgreSQL. A direct connection gets it when it is opened. A pool in transaction mode
// drops such options, so there the role has it (`cairn database:prepare`). Each start asks whether it arrives: Cairn may not know
// that there is a pool.

import { Client, type Pool, type PoolClient } from "pg";

/** Commits are answered when they are on disk, whatever the server's default; statements are many and short. */
export const sessionSettings = {
  synchronous_commit: "on",
  max_parallel_workers_per_gather: "0",
  random_page_cost: "1.1",
} as const;

/** Transactions never stand still: one that does belongs to a process that does, and everybody waits for its locks. */
export const shortSettings = { idle_in_transaction_session_timeout: "30000" } as const;

export function asOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

export interface PreparedRole {
  role: string;
  database: string;
  settings: Readonly<Record<string, string>>;
}

/** For all later connections of this role to this database, through whatever pool. */
export async function prepareRole(databaseUrl: string): Promise<PreparedRole> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 4_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ role: string; database: string }>(
      "SELECT current_user AS role, current_database() AS database",
    );
    const { role = "", database = "" } = rows[0] ?? {};
    const settings = { ...sessionSettings, ...shortSettings };
    const whose = `ROLE ${client.escapeIdentifier(role)} IN DATABASE ${client.escapeIdentifier(database)}`;
    for (const [name, value] of Object.entries(settings)) {
      await client.query(`ALTER ${whose} SET ${name} = ${client.escapeLiteral(value)}`);
    }
    return { role, database, settings };
  } finally {
    await client.end();
  }
}

const advice =
  "Run `cairn database:prepare`, then let the pool connect again (RECONNECT in the console of PgBouncer, or a restart).";

/** What a connection is that was not named as a pool. */
const unknownPool =
  "A connection pool drops what Cairn asks for: name the server itself in CAIRN_DATABASE_DIRECT_URL, and run `cairn database:prepare` once.";

/** Throws a sentence for the operator. `isPooled`: the pool is known. */
export async function checkConnections(
  pool: Pool,
  { isPooled, prepares }: { isPooled: boolean; prepares: boolean },
): Promise<void> {
  const client = await pool.connect();
  let isDone = false;
  try {
    const [subject, cure] = isPooled ? ["The pool", advice] : ["CAIRN_DATABASE_URL", unknownPool];
    await client.query("BEGIN");
    const commit = await ask(client, "SHOW synchronous_commit");
    if (commit !== "on" && commit !== "remote_apply")
      throw new Error(
        `${subject} leads to connections with synchronous_commit = ${commit}: writes could be answered and lost. ${cure}`,
      );
    if (isPooled && (await ask(client, "SHOW idle_in_transaction_session_timeout")) === "0")
      throw new Error(
        `The pool leads to connections without idle_in_transaction_session_timeout: a node that stands still could hold up all others. ${advice}`,
      );
    if (isPooled && prepares && (await keepsNames(client)))
      throw new Error(
        "The pool does not pass prepared statements on. Set CAIRN_DATABASE_PREPARE=false, or use PgBouncer 1.21 or newer with max_prepared_statements.",
      );
    await client.query("ROLLBACK");
    isDone = true;
  } finally {
    // Else its transaction is open.
    client.release(!isDone);
  }
}

/** A pool that passes prepared statements on gives them names of its own: else the same name means another one elsewhere. */
async function keepsNames(client: PoolClient): Promise<boolean> {
  const name = "cairn_probe";
  await client.query({ name, text: "SELECT 1 AS found" });
  const found = await ask(client, `SELECT count(*)::text FROM pg_prepared_statements WHERE name = '${name}'`);
  if (found !== "0") await client.query(`DEALLOCATE ${name}`);
  return found !== "0";
}

async function ask(client: PoolClient, text: string): Promise<unknown> {
  const { rows } = await client.query({ text, rowMode: "array" });
  return rows[0]?.[0];
}

/** A pool that is not known as one refuses the options of a session. */
export function reasonOf(error: unknown, isPooled: boolean): string {
  const reason = error instanceof Error ? error.message : "unknown reason";
  const isRefusal = !isPooled && /unsupported startup parameter/i.test(reason);
  return isRefusal
    ? `${reason}. CAIRN_DATABASE_URL leads to a connection pool: name the server itself in CAIRN_DATABASE_DIRECT_URL, and run \`cairn database:prepare\` once.`
    : reason;
}
