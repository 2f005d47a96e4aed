// The jobs that this process holds. Their leases are renewed while they run; a handler whose lease is lost is aborted.

import type { Logger } from "pino";
import type { Clock } from "#base/clock.ts";
import { uuid } from "#base/ids.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Storage, Tx } from "#storage/port.ts";
import { type JobRow, type Lease, listCancelled, renewLease } from "#storage/tables/jobs.ts";
import { type Job, JobCancelled, type JobRun } from "./job.ts";

/** Short enough that a lost job is taken over within ten seconds of a start, long enough for a busy moment. */
const leaseMs = 8_000;
const renewMs = 2_000;
const maxLog = 64 * 1024;

export interface Held extends JobRun {
  job: Job;
  done: number;
  total: number;
  /** The lines so far. */
  text(): string;
}

export interface LeaseHolder {
  owner: string;
  lease(): Lease;
  hold(id: string, job: Job): Held;
  release(id: string): void;
  /** Renews the lease of a job that this process runs, however late; false when it is none of these. */
  keep(tx: Tx, row: JobRow): Promise<boolean>;
  /** Looks at once for jobs that somebody cancelled. */
  look(): void;
  /** Aborts all handlers and renews no lease any more. */
  abandon(): void;
  readonly isAbandoned: boolean;
}

interface Entry {
  held: Held;
  controller: AbortController;
  canceller: AbortController;
  until: number;
}

/** What others see of a job while it runs. */
function stateOf({ done, total, text }: Held): { done: number; total: number; log: string | undefined } {
  return { done, total, log: text() || undefined };
}

export function createHolder({ storage, clock, log }: { storage: Storage; clock: Clock; log: Logger }): LeaseHolder {
  const owner = uuid();
  const all = new Map<string, Entry>();
  let timer: NodeJS.Timeout | undefined;
  let isRenewing = false;
  let isAbandoned = false;

  function lease(): Lease {
    const now = clock.now();
    return { owner, now: new Date(now).toISOString(), leaseUntil: new Date(now + leaseMs).toISOString() };
  }

  async function renew(): Promise<void> {
    const ids = [...all.keys()];
    const { kept, cancelled, leaseUntil } = await storage.write(async (tx) => {
      const ours = new Set<string>();
      // As late as possible: the write may have waited for others.
      const { leaseUntil } = lease();
      for (const id of ids) {
        const held = all.get(id)?.held;
        if (held && (await renewLease(tx, id, { owner, leaseUntil, ...stateOf(held) }))) ours.add(id);
      }
      return { kept: ours, cancelled: await listCancelled(tx, owner), leaseUntil };
    });
    for (const id of cancelled) all.get(id)?.canceller.abort(new JobCancelled());
    for (const id of ids) {
      const entry = all.get(id);
      if (!entry) continue;
      if (kept.has(id)) entry.until = Date.parse(leaseUntil);
      else entry.controller.abort();
    }
  }

  /** While the database is down no process can take a job; but another process may reach it again before this one. */
  function dropLapsed(): void {
    for (const { until, controller } of all.values()) if (clock.now() > until) controller.abort();
  }

  function beat(): void {
    // One at a time: a database that hangs answers none of them, and each holds a connection.
    if (isRenewing) {
      dropLapsed();
      return;
    }
    isRenewing = true;
    renew()
      .catch((error) => {
        log.warn({ err: error }, "the leases of running jobs could not be renewed");
        dropLapsed();
      })
      .finally(() => {
        isRenewing = false;
      });
  }

  function stopTimer(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    owner,
    lease,
    hold(id, job) {
      const controller = new AbortController();
      const canceller = new AbortController();
      let text = "";
      const held: Held = {
        job,
        done: 0,
        total: 0,
        signal: controller.signal,
        cancelled: canceller.signal,
        progress(done, total) {
          held.done = done;
          held.total = total;
        },
        log(line) {
          if (text.length < maxLog) text = `${text}${line.replaceAll("\0", "")}\n`.slice(0, maxLog);
        },
        text: () => text,
      };
      all.set(id, { held, controller, canceller, until: clock.now() + leaseMs });
      timer ??= setInterval(() => unclaimed(beat), renewMs).unref();
      return held;
    },
    release(id) {
      all.delete(id);
      if (all.size === 0) stopTimer();
    },
    async keep(tx, row) {
      const held = row.owner === owner ? all.get(row.id)?.held : undefined;
      return held !== undefined && renewLease(tx, row.id, { ...lease(), ...stateOf(held) });
    },
    look: () => void (all.size > 0 && beat()),
    abandon() {
      isAbandoned = true;
      stopTimer();
      for (const { controller } of all.values()) controller.abort();
    },
    get isAbandoned() {
      return isAbandoned;
    },
  };
}
