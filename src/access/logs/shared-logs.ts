// Where several nodes share a database, each line of the logs goes to a table as well as to the file of its node, so that every node
// shows all of them. Lines are stored in batches behind the caller; `settleLogs` waits for them. A line that cannot be stored
// is tried again, and stays in the file.

import type { Logger } from "pino";
import type { Clock } from "#base/clock.ts";
import type { AuditLog } from "#contract/audit.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Storage } from "#storage/port.ts";
import { deleteLogLinesBefore, insertLogLines, type NewLogLine } from "#storage/tables/nodes/log-lines.ts";

interface Parts {
  settings: object;
  storage: Storage;
  clock: Clock;
  log: Logger;
}

const atOnce = 500;
/** While the database does not answer, the oldest are dropped beyond this. */
const maxWaiting = 10_000;
const againMs = 1_000;
/** So long an answer waits at most. */
const settleMs = 2_000;
const day = 86_400_000;
/** How long lines are kept: calls over MCP are many. */
const keptMs: Record<AuditLog, number> = { access: 365 * day, oauth: 90 * day, mcp: 30 * day };
const pruneEveryMs = 3_600_000;
const prunedAtOnce = 1_000;

interface SharedLogs {
  waiting: NewLogLine[];
  /** The batch that is being stored, and the one after it: that of the lines that wait. */
  running: Promise<void> | undefined;
  next: Promise<void> | undefined;
  store(): Promise<void>;
}

const sharedLogs = new WeakMap<object, SharedLogs>();

/** From now on lines of this app are shared. Returns what stores the last ones. */
export function shareLogs(app: Parts): () => Promise<void> {
  const { settings, storage, log } = app;
  if (!storage.isShared || storage.isReadOnly) return async () => {};
  const prune = createPruning(app);
  let isClosed = false;
  let isFailing = false;
  const shared: SharedLogs = { waiting: [], running: undefined, next: undefined, store };

  /** What waits now; later lines are for the next batch. */
  async function store(): Promise<void> {
    for (let left = shared.waiting.length; left > 0 && shared.waiting.length > 0; ) {
      const lines = shared.waiting.slice(0, Math.min(left, atOnce));
      try {
        await unclaimed(() => storage.write((tx) => insertLogLines(tx, lines)));
        shared.waiting.splice(0, lines.length);
        left -= lines.length;
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          log.warn({ err: error }, "lines of the logs are not in the database yet; they are in the files of this node");
        isFailing = true;
        if (isClosed) return;
        dropOldest(shared.waiting, log);
        await new Promise((done) => setTimeout(done, againMs).unref());
      }
    }
    // Nobody waits for this.
    prune().catch((error) => isClosed || log.warn({ err: error }, "old lines of the logs were not deleted"));
  }

  sharedLogs.set(settings, shared);
  return async () => {
    isClosed = true;
    await (shared.next ?? shared.running);
  };
}

function dropOldest(waiting: NewLogLine[], log: Logger): void {
  const dropped = waiting.length - maxWaiting;
  if (dropped <= 0) return;
  waiting.splice(0, dropped);
  log.error(
    { lines: dropped },
    "lines of the logs are in the files of this node alone: the database did not take them",
  );
}

/** Once an hour, a part after the other. */
function createPruning({ storage, clock }: Parts): () => Promise<void> {
  let next = 0;
  return async () => {
    if (clock.now() < next) return;
    next = clock.now() + pruneEveryMs;
    for (const [name, ms] of Object.entries(keptMs)) {
      const before = new Date(clock.now() - ms).toISOString();
      const deleteSome = () => storage.write((tx) => deleteLogLinesBefore(tx, name, before, prunedAtOnce));
      while ((await deleteSome()) === prunedAtOnce);
    }
  };
}

/** For a line that goes into the file of this node as well. */
export function shareLine({ settings }: { settings: object }, line: NewLogLine & { log: AuditLog }): void {
  const shared = sharedLogs.get(settings);
  if (!shared) return;
  shared.waiting.push(line);
  // Lines of one turn, and those that arrive while others are stored, are stored together.
  shared.next ??= (shared.running ?? new Promise<void>(setImmediate)).then(() => {
    shared.next = undefined;
    shared.running = shared.store().finally(() => {
      shared.running = undefined;
    });
    return shared.running;
  });
}

/**
 * Undefined: every line is stored. Else resolves when those that there are by now are stored, or after a moment that is too long for
 * an answer. Lines that others add later hold nobody up.
 */
export function settleLogs({ settings }: { settings: object }): Promise<void> | undefined {
  const shared = sharedLogs.get(settings);
  const storing = shared?.next ?? shared?.running;
  if (!storing) return undefined;
  let timer: NodeJS.Timeout;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, settleMs);
  });
  return Promise.race([storing, late]).finally(() => clearTimeout(timer));
}
