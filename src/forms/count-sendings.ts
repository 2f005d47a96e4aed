// How often an address sends a form, and what it has sent: limits, and repeated content. Counts are shared by all servers, so each
// is taken in a transaction. Content counts with what is stored of it: a sending that a crash cut off may be sent again.

import { counterName } from "#access/counters.ts";
import { type CairnError, rateLimited } from "#base/errors.ts";
import { networkOf } from "#base/net/addresses.ts";
import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Storage, Tx } from "#storage/port.ts";
import { addToCounter, countFirst, findCounter } from "#storage/tables/counters.ts";
import type { OpenForm } from "./open-form.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const repeatMs = 600_000;
const onceMs = 31 * 86_400_000;

interface Limit {
  name: string;
  limit: number;
  windowMs: number;
}

function limitsOf({ settings }: Pick<App, "settings">, { id }: OpenForm, address: string): Limit[] {
  const limit = settings.get("forms.rateLimit");
  if (limit === 0) return [];
  const what = `${id} ${networkOf(address) ?? address}`;
  return [
    { name: counterName("form-minute", what), limit, windowMs: minuteMs },
    { name: counterName("form-hour", what), limit: limit * 6, windowMs: hourMs },
  ];
}

/** Sendings that this process is working on, by the name of their first counter. */
const runningOf = perInstance((_storage: Storage): Map<string, number> => new Map());

/**
 * Before anything is read: refuses an address that has sent too often, or that sends more at once than it may in a minute. The
 * function that it returns ends the sending.
 */
export async function beginSending(app: App, form: OpenForm, address: string): Promise<() => void> {
  const now = app.clock.now();
  const limits = limitsOf(app, form, address);
  for (const { name, limit } of limits) {
    const known = await findCounter(app.storage, name, now);
    if (known && known.count >= limit) throw tooMany(known.expires - now);
  }
  const [first] = limits;
  if (!first) return () => {};
  const running = runningOf(app.storage);
  const before = running.get(first.name) ?? 0;
  if (before >= first.limit) throw tooMany(first.windowMs);
  running.set(first.name, before + 1);
  return () => {
    const left = (running.get(first.name) ?? 1) - 1;
    if (left > 0) running.set(first.name, left);
    else running.delete(first.name);
  };
}

/** The same was sent a moment ago. */
export class RepeatedSending extends Error {}

/** What is sent once. */
export interface Once {
  /** Of its counter. */
  name: string;
  windowMs: number;
}

/** The content is a hash already. */
export function onceOfContent(content: string): Once {
  return { name: `form-content:${content.slice(0, 32)}`, windowMs: repeatMs };
}

/** The second page of a challenge brings the same content again, once. */
export function onceOfChallenge(token: string): Once {
  return { name: counterName("form-challenge", token), windowMs: onceMs };
}

export async function wasSent({ storage, clock }: App, { name }: Once): Promise<boolean> {
  return (await findCounter(storage, name, clock.now())) !== undefined;
}

/** To be run in the transaction that stores the object: what it throws takes the object back. */
export async function countStored(tx: Tx, { clock }: App, once: Once): Promise<void> {
  if (!(await countContent(tx, { clock }, once))) throw new RepeatedSending();
}

/** False: it was counted before. */
export function countContent(tx: Tx, { clock }: Pick<App, "clock">, { name, windowMs }: Once): Promise<boolean> {
  return countFirst(tx, name, { now: clock.now(), windowMs });
}

/** In the transaction of the object too: what it throws takes back its own counts. */
export function countWithin(app: App, form: OpenForm, { address, once }: { address: string; once: Once }) {
  return async (tx: Tx): Promise<void> => {
    await countAddress(tx, limitsOf(app, form, address), app.clock.now());
    await countStored(tx, app, once);
  };
}

/** For its address alone, before it is judged, or when it was refused. */
export async function countSending(app: App, form: OpenForm, address: string): Promise<void> {
  const limits = limitsOf(app, form, address);
  if (limits.length === 0) return;
  await unclaimed(() => app.storage.write((tx) => countAddress(tx, limits, app.clock.now())));
}

async function countAddress(tx: Tx, limits: readonly Limit[], now: number): Promise<void> {
  for (const { name, limit, windowMs } of limits) {
    const counted = await addToCounter(tx, name, { amount: 1, now, windowMs });
    if (counted.count > limit) throw tooMany(counted.expires - now);
  }
}

/** False: it was counted before. */
export function countOnce({ storage, clock }: App, name: string): Promise<boolean> {
  return unclaimed(() => storage.write((tx) => countFirst(tx, name, { now: clock.now(), windowMs: onceMs })));
}

function tooMany(waitMs: number): CairnError {
  return rateLimited(waitMs, "The form was sent too often. Try again later.");
}
