// Leases for work that one process at a time may do: assemble the chunks of an upload, change the files of
// an object, delete a collection. A dead process holds nothing: on the same machine that is detected at once, on
// a different one when its lease expires.

import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Storage, Tx } from "#storage/port.ts";
import { deleteLease, extendLease, findLease, type Lease, takeLease } from "#storage/tables/leases.ts";
import type { Parts } from "./parts.ts";

const leaseMs = 15_000;
const renewMs = 4_000;
/** How often a waiting process checks the lease. */
const waitMs = 25;

interface Owner {
  machine: string;
  pid: number;
  /** Ids of processes are reused, in a container with every start. */
  run: string;
}

const me: Owner = { machine: machineName(), pid: process.pid, run: randomUUID() };
const owner = JSON.stringify(me);
/** What this process holds, by database: it keeps that even when it stood still longer than a lease lasts. */
const held = new WeakMap<Storage, Set<string>>();

function heldIn(storage: Storage): Set<string> {
  const ids = held.get(storage) ?? new Set<string>();
  held.set(storage, ids);
  return ids;
}

/** Within it, an id of a process means one process. */
function machineName(): string {
  const facts = [
    () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
    () => readlinkSync("/proc/self/ns/pid"),
  ];
  const known = facts.map((read) => {
    try {
      return read();
    } catch {
      return "";
    }
  });
  return [hostname(), ...known].join(" ");
}

function newLease({ clock }: Parts): Lease {
  return { owner, leaseUntil: new Date(clock.now() + leaseMs).toISOString() };
}

/** False: another process holds it. */
export async function tryLease(app: Parts, tx: Tx, id: string): Promise<boolean> {
  const found = await findLease(tx, id);
  return found && isAlive(app, id, found) ? false : takeLease(tx, id, newLease(app), found);
}

function isAlive({ storage, clock }: Parts, id: string, hold: Lease): boolean {
  const { machine, pid, run } = JSON.parse(hold.owner) as Owner;
  if (run === me.run && heldIn(storage).has(id)) return true;
  if (hold.leaseUntil < clock.iso()) return false;
  if (run === me.run || machine !== me.machine) return true;
  return pid !== me.pid && isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export interface Holding {
  /** Whether the lease is still ours. */
  confirm(): Promise<boolean>;
  /** Stops renewing; the lease expires. */
  stop(): void;
  release(): Promise<void>;
}

/** Renews a lease that was just taken. */
export function renewLease(app: Parts, id: string): Holding {
  const { storage, log } = app;
  const confirm = () => unclaimed(() => storage.write((tx) => extendLease(tx, id, newLease(app))));
  let isRenewing = false;
  // One at a time: a database that hangs answers none of them, and each holds a connection.
  const renew = async () => {
    if (isRenewing) return;
    isRenewing = true;
    await confirm().catch((error) => log.warn({ err: error, id }, "a lease was not renewed"));
    isRenewing = false;
  };
  const timer = setInterval(renew, renewMs).unref();
  const ids = heldIn(storage).add(id);
  const stop = () => {
    clearInterval(timer);
    ids.delete(id);
  };
  return {
    confirm,
    stop,
    release() {
      stop();
      return unclaimed(() => storage.write((tx) => releaseHold(tx, id)));
    },
  };
}

/** Runs the work of all callers one after the other, in this process and in others. */
export async function withLease<T>(app: Parts, id: string, work: () => Promise<T>): Promise<T> {
  while (!(await takeOne(app, [id]))) await sleep(waitMs);
  return holding(app, id, work);
}

/** Runs the work with the first of these leases that is free; with none of them it answers what `refuse` returns. */
export async function withFreeLease<T, R>(
  app: Parts,
  ids: readonly string[],
  { work, refuse }: { work: () => Promise<T>; refuse: () => R },
): Promise<T | R> {
  const free = await takeOne(app, ids);
  return free === undefined ? refuse() : holding(app, free, work);
}

/** The first that is free; undefined: none is. */
export function takeOne(app: Parts, ids: readonly string[]): Promise<string | undefined> {
  return unclaimed(() =>
    app.storage.write(async (tx) => {
      for (const id of ids) if (await tryLease(app, tx, id)) return id;
      return undefined;
    }),
  );
}

/** The work sees what those before it wrote. */
async function holding<T>(app: Parts, id: string, work: () => Promise<T>): Promise<T> {
  const { release } = renewLease(app, id);
  try {
    await app.storage.catchUp();
    return await work();
  } finally {
    // A lease that cannot be released now expires.
    await release().catch((error) => app.log.warn({ err: error, id }, "a lease was not released"));
  }
}

export function releaseHold(tx: Tx, id: string): Promise<void> {
  return deleteLease(tx, id, owner);
}
