// A database that says nothing to one server for a while: its connections there stand still. It builds; it never asserts.
// Only connections at rest are stopped: one that stood still with a lock of the database in its hand would stop everybody.

import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

const probeMs = 1_000;
const tries = 50;

/** `name`: the application_name of the connections. They go on when the work is done. */
export async function whileSilent<T>(databaseUrl: string, name: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const signal = await stopAtRest(client, name);
    try {
      return await work();
    } finally {
      signal("SIGCONT");
    }
  } finally {
    await client.end();
  }
}

type Signal = (name: NodeJS.Signals) => void;

async function stopAtRest(client: Client, name: string): Promise<Signal> {
  for (let at = 1; ; at += 1) {
    const pids = (await listConnections(client, name)).map(({ pid }) => pid);
    const signal: Signal = (signalName) => {
      for (const pid of pids) signalIfThere(pid, signalName);
    };
    signal("SIGSTOP");
    // Whoever waits for one that was stopped in the middle of something waits here.
    const probe = isAtRest(client, name);
    if (await Promise.race([probe, sleep(probeMs, false, { ref: false })])) return signal;
    signal("SIGCONT");
    await probe;
    if (at === tries) throw new Error(`the connections of ${name} are never at rest`);
    await sleep(20);
  }
}

async function isAtRest(client: Client, name: string): Promise<boolean> {
  await client.query("NOTIFY at_rest");
  return (await listConnections(client, name)).every(({ state }) => state === "idle");
}

async function listConnections(client: Client, name: string): Promise<{ pid: number; state: string }[]> {
  const sql = "SELECT pid, state FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1";
  return (await client.query<{ pid: number; state: string }>(sql, [name])).rows;
}

/** Connections that nobody uses end now and then. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
