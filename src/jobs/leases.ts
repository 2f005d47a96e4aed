// What one process at a time may do, under a lease that it renews: put the chunks of an upload together, change the files of
// an object, take a collection away. A process that is gone holds nothing: on the same machine that is seen at once, on
// another one when its lease is over.

import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "#base/clock.ts";
import { deleteLease, extendLease, findLease, type Lease, takeLease } from "#storage/leases.ts";
import type { Storage, Tx } from "#storage/port.ts";

interface LeaseParts {
  storage: Storage;
  clock: Clock;
  log: Logger;
}

const leaseMs = 15_000;
const renewMs = 4_000;
/** How often somebody looks whether another one is done. */
const waitMs = 25;

interface Owner {
  machine: string;
  pid: number;
  /** Ids of processes come again, in a container with every start. */
  run: string;
}

const me: Owner = { machine: machineName(), pid: process.pid, run: randomUUID() };
const owner = JSON.stringify(me);

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

function newLease({ clock }: LeaseParts): Lease {
  return { owner, leaseUntil: new Date(clock.now() + leaseMs).toISOString() };
}

/** False: somebody has it. */
export async function tryLease(app: LeaseParts, tx: Tx, id: string): Promise<boolean> {
  const found = await findLease(tx, id);
  return found && isAlive(app, found) ? false : takeLease(tx, id, newLease(app), found);
}

function isAlive({ clock }: LeaseParts, hold: Lease): boolean {
  if (hold.leaseUntil < clock.iso()) return false;
  const { machine, pid, run } = JSON.parse(hold.owner) as Owner;
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
  /** Whether it is still ours. */
  confirm(): Promise<boolean>;
  /** Renews it no more; it lapses. */
  stop(): void;
  release(): Promise<void>;
}

/** Renews a hold that was just taken. */
export function renewLease(app: LeaseParts, id: string): Holding {
  const { storage, log } = app;
  const confirm = () => storage.write((tx) => extendLease(tx, id, newLease(app)));
  let isRenewing = false;
  // One at a time: a database that stands still answers none of them, and each holds a connection.
  const renew = async () => {
    if (isRenewing) return;
    isRenewing = true;
    await confirm().catch((error) => log.warn({ err: error, id }, "a hold was not renewed"));
    isRenewing = false;
  };
  const timer = setInterval(renew, renewMs).unref();
  const stop = () => clearInterval(timer);
  return {
    confirm,
    stop,
    release() {
      stop();
      return storage.write((tx) => releaseHold(tx, id));
    },
  };
}

/** Of all that ask, in this process and in others, one after the other does its work. */
export async function withLease<T>(app: LeaseParts, id: string, work: () => Promise<T>): Promise<T> {
  while (!(await app.storage.write((tx) => tryLease(app, tx, id)))) await sleep(waitMs);
  const { release } = renewLease(app, id);
  try {
    return await work();
  } finally {
    // One that cannot be given back now lapses.
    await release().catch((error) => app.log.warn({ err: error, id }, "a hold was not released"));
  }
}

export function releaseHold(tx: Tx, id: string): Promise<void> {
  return deleteLease(tx, id, owner);
}
