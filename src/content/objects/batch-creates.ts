// New objects that arrive together for one collection are stored by one transaction and counted once.
// One that is refused does not cost the others anything: a taken id is passed over, and where one fails otherwise, each is
// stored by itself.

import { CairnError } from "#base/errors.ts";
import { type Batch, waitForBatch } from "#base/event-loop.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import { isClaimed } from "#storage/claimed-writes.ts";
import type { Tx } from "#storage/port.ts";
import { takenId } from "./choose-id.ts";
import { type BuiltObject, storeBuilt, type ToStore } from "./insert-objects.ts";
import type { ObjectAnswer } from "./object-answer.ts";
import { answerOf, finishWrites, type WriteWork, type Written } from "./write-work.ts";

/** Readers of the embedded engine wait while a transaction runs, so it has an end: objects, and characters of documents. */
const maxTogether = 64;
const maxText = 500_000;

interface Waiting extends ToStore {
  resolve(object: ObjectAnswer): void;
  reject(error: unknown): void;
}

interface Line {
  waiting: Waiting[];
  isMoving: boolean;
  last: Batch;
}

/** A collection whose schema or settings change is another one, with a line of its own. */
const lineOf = perInstance(
  (_collection: Collection): Line => ({ waiting: [], isMoving: false, last: { size: 1, ms: 0 } }),
);

/** For objects that depend on no other. */
export function createTogether(work: WriteWork, built: BuiltObject): Promise<ObjectAnswer> {
  const line = lineOf(work.collection);
  return new Promise((resolve, reject) => {
    // A claim is marked by the transaction of its own request.
    if (isClaimed()) return void storeAlone({ work, built, resolve, reject });
    line.waiting.push({ work, built, resolve, reject });
    if (!line.isMoving) void move(line);
  });
}

async function move(line: Line): Promise<void> {
  line.isMoving = true;
  while (line.waiting.length > 0) {
    await waitForBatch(line.waiting, line.last);
    const began = performance.now();
    const size = await storeNext(line);
    line.last = { size, ms: performance.now() - began };
  }
  line.isMoving = false;
}

/** Those that are there when the transaction begins; resolves to how many they were. */
async function storeNext({ waiting }: Line): Promise<number> {
  const [first] = waiting as [Waiting];
  let group: Waiting[] = [];
  try {
    const stored = await first.work.ctx.storage.write((tx) => {
      if (group.length === 0) group = takeSome(waiting);
      return insertGroup(tx, group);
    });
    for (const [at, one] of group.entries()) settle(one, stored[at]);
  } catch (error) {
    if (group.length === 0) group = takeSome(waiting);
    if (group.length === 1 || isServiceFailure(error)) for (const one of group) one.reject(error);
    else await Promise.all(group.map(storeAlone));
  }
  return group.length;
}

async function insertGroup(tx: Tx, group: readonly ToStore[]): Promise<(Written | undefined)[]> {
  const stored = await storeBuilt(tx, group);
  await finishWrites(
    tx,
    stored.filter((one) => one !== undefined),
  );
  return stored;
}

function takeSome(waiting: Waiting[]): Waiting[] {
  let text = 0;
  const end = waiting.findIndex(({ built }, at) => {
    text += built.write.doc.length;
    return at === maxTogether || (at > 0 && text > maxText);
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

async function storeAlone(one: Waiting): Promise<void> {
  try {
    const [stored] = await one.work.ctx.storage.write((tx) => insertGroup(tx, [one]));
    settle(one, stored);
  } catch (error) {
    one.reject(error);
  }
}

function settle({ built, resolve, reject }: Waiting, stored: Written | undefined): void {
  if (stored) resolve(answerOf(stored));
  else reject(takenId(built.write));
}

function isServiceFailure(error: unknown): boolean {
  return error instanceof CairnError && (error.word === "unavailable" || error.word === "storage-full");
}
