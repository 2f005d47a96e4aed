// Reactions of extensions to events. An event is stored in the transaction of the write that it is about, so none is lost and
// a write that is rolled back causes none. One job of an extension at a time, over all processes, hands stored events to its
// code: those of one object in order, others side by side.

import { CairnError } from "#base/errors.ts";
import { inParallel } from "#base/in-parallel.ts";
import { causeOfExtension } from "#content/extension-port.ts";
import { type App, contextFor } from "#context.ts";
import type { ReactionContribution } from "#contract/extensions.ts";
import type { JsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { JobRun } from "#jobs/job.ts";
import type { CairnEvent, Cause } from "#jobs/reactions.ts";
import type { Tx } from "#storage/port.ts";
import {
  deleteEvents,
  deleteEventsOf,
  type EventRow,
  insertEvent,
  listDueEvents,
  nextEventAt,
  postponeEvent,
} from "#storage/tables/extensions/extension-events.ts";
import { maxDepth } from "./functions.ts";
import {
  type Contributed,
  type ExtensionSet,
  type LiveExtension,
  loadExtensions,
  loadExtensionsIn,
} from "./load-extensions.ts";
import { actorOf, callExtension } from "./runtime.ts";

const reactionKind = "extension-reaction";
/** Only queues the other kind again: one that waits for a later moment must not hold up new events. */
const retryKind = "extension-reaction-retry";

const timeoutMs = 30_000;
/** Events that are taken up together. After a crash so many may be seen again. */
const batch = 100;
/** Subjects whose events are handed over at the same time. */
const width = 16;
/** Pauses before the next attempt. After the last one the event is given up. */
const retryMs = [1_000, 10_000, 60_000];
/** How often an extension that is down is tried. */
const downMs = 60_000;
/** The service's own; code never learns of them. */
const closed: readonly string[] = ["auth", "automations"];

export function registerReactions(app: App): void {
  app.reactions.add((tx, event, cause) => store(app, tx, event, cause));
  app.jobs.handle(reactionKind, (job, run) => handOver(app, String(job.payload.extension), run), {
    ...{ concurrency: 8, keep: 20, cancels: "none" },
  });
  app.jobs.handle(
    retryKind,
    async ({ payload }) => {
      await app.storage.write((tx) => queueJob(tx, String(payload.extension)));
      return null;
    },
    { keep: 20, cancels: "none" },
  );
}

async function queueJob(tx: Tx, extension: string): Promise<void> {
  // An attempt is counted for each process that dies meanwhile; events count their own attempts.
  const maxAttempts = 1_000;
  await enqueue(tx, { kind: reactionKind, key: extension, subject: extension, payload: { extension }, maxAttempts });
}

function store(app: App, tx: Tx, event: CairnEvent, cause: Cause | undefined): Promise<void> | undefined {
  const known = loadExtensionsIn(app, tx);
  if (known instanceof Promise) return known.then((set) => storeFor(app, tx, { set, event, cause }));
  return storeFor(app, tx, { set: known, event, cause });
}

interface Happened {
  set: ExtensionSet;
  event: CairnEvent;
  cause: Cause | undefined;
}

function storeFor(app: App, tx: Tx, { set, event, cause }: Happened): Promise<void> | undefined {
  const offered = set.of("reactions");
  if (offered.length === 0) return undefined;
  const said = present(event);
  const waiting = said && offered.filter(({ extension, entry }) => reactsTo(extension, entry, { event: said, cause }));
  if (!waiting || waiting.length === 0) return undefined;
  const depth = (cause?.depth ?? -1) + 1;
  if (depth >= maxDepth) {
    app.log.warn({ event: said.type }, "a chain of automations and extensions reached its limit");
    return undefined;
  }
  return insertAll(app, tx, waiting, { said, depth });
}

async function insertAll(
  app: App,
  tx: Tx,
  waiting: readonly Contributed<"reactions">[],
  { said, depth }: { said: JsonObject; depth: number },
): Promise<void> {
  const { collection, id } = said;
  const subject = id === undefined ? String(collection ?? said.type) : `${collection}/${id}`;
  for (const { extension, entry } of waiting) {
    const row = { reaction: entry.name, subject, event: JSON.stringify(said), depth };
    await insertEvent(tx, extension.id, row, app.clock.iso());
  }
  for (const id of new Set(waiting.map(({ extension }) => extension.id))) await queueJob(tx, id);
}

/** The event as code gets it. Undefined: code gets none, or one for many rows of an import instead. */
function present(event: CairnEvent): JsonObject | undefined {
  if ("collection" in event && closed.includes(event.collection)) return undefined;
  if (event.type === "import.created" || event.type === "import.updated") return undefined;
  if (event.type !== "import.stored") return { ...event };
  const { collection, ids, done } = event;
  return { type: `import.${done}`, collection, ids };
}

/** None reacts to what it has written itself. */
function reactsTo(
  extension: LiveExtension,
  { events, collections }: ReactionContribution,
  { event, cause }: { event: JsonObject; cause: Cause | undefined },
): boolean {
  if (!events.includes(String(event.type)) || cause?.automation === causeOfExtension(extension.id)) return false;
  if (collections === undefined || collections.includes("*")) return true;
  return typeof event.collection !== "string" || collections.includes(event.collection);
}

/** Hands over all that is due. */
async function handOver(app: App, id: string, run: JobRun): Promise<null> {
  for (;;) {
    const extension = (await loadExtensions(app)).all.get(id);
    // Switched off or removed: its reactions are not there any more.
    if (extension?.enabled !== true) {
      await app.storage.write((tx) => deleteEventsOf(tx, id));
      return null;
    }
    const isDown = extension.state !== "enabled" || extension.manifest === undefined;
    const due = isDown ? [] : await listDueEvents(app.storage, id, app.clock.iso(), batch);
    if (due.length === 0) {
      const next = isDown ? new Date(app.clock.now() + downMs).toISOString() : await nextEventAt(app.storage, id);
      if (next !== undefined) await app.storage.write((tx) => queueRetry(tx, id, next));
      return null;
    }
    await handOverBatch(app, extension as LiveExtension, due, run);
    if (run.signal.aborted) return null;
  }
}

async function queueRetry(tx: Tx, extension: string, runAt: string): Promise<void> {
  const job = { kind: retryKind, key: extension, subject: extension, payload: { extension }, runAt };
  await enqueue(tx, { ...job, maxAttempts: 1_000 });
}

async function handOverBatch(
  app: App,
  extension: LiveExtension,
  due: readonly EventRow[],
  { signal }: JobRun,
): Promise<void> {
  const ended: number[] = [];
  const failed: EventRow[] = [];
  const bySubject = Map.groupBy(due, ({ reaction, subject }) => `${reaction} ${subject}`);
  await inParallel(bySubject.values(), width, async (rows) => {
    for (const row of rows) {
      if (signal.aborted) return;
      const isDone = await react(app, extension, row, signal);
      // Its end is not known: the next process begins with it.
      if (signal.aborted) return;
      if (!isDone && row.attempts < retryMs.length) {
        failed.push(row);
        return;
      }
      ended.push(row.seq);
    }
  });
  await app.storage.write(async (tx) => {
    await deleteEvents(tx, ended);
    for (const { seq, attempts } of failed)
      await postponeEvent(tx, seq, new Date(app.clock.now() + (retryMs[attempts] as number)).toISOString());
  });
}

/** False: it failed, and may be tried again. */
async function react(app: App, extension: LiveExtension, row: EventRow, signal: AbortSignal): Promise<boolean> {
  const event = JSON.parse(row.event) as JsonObject;
  // A switch may have taken it away since.
  if (extension.switchedOff.has(`reactions:${row.reaction}`)) return true;
  if (!extension.manifest.contributes.reactions.some(({ name }) => name === row.reaction)) return true;
  // What it writes counts itself.
  const cause = row.depth > 0 ? { automation: causeOfExtension(extension.id), depth: row.depth - 1 } : undefined;
  const ctx = { ...contextFor(app, actorOf(extension)), cause };
  const order = { extension: extension.id, kind: "reactions" as const, name: row.reaction, args: [event] };
  try {
    await callExtension(app, { ...order, ctx, timeoutMs, signal });
    return true;
  } catch (error) {
    // A refusal is an answer; what it stands for is left to the code.
    if (!(error instanceof CairnError) || error.word === "extension-failed" || error.status >= 500) return false;
    return error.word !== "rate-limited";
  }
}
