// How often an address sends a form, and what it has sent: limits, and repeated content. Counts are shared by all servers, so each
// is taken in a transaction: alone, or with the object that is stored.

import { counterName } from "#access/counters.ts";
import { type CairnError, rateLimited } from "#base/errors.ts";
import { networkOf } from "#base/net/addresses.ts";
import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { Storage, Tx } from "#storage/port.ts";
import { addToCounter, countFirst, deleteCounter, findCounter } from "#storage/tables/counters.ts";
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

interface Counted {
  address: string;
  content: string;
}

/** To be run in the transaction that stores the object: what it throws takes the object back, and its own counts. */
export function countWithin(app: App, form: OpenForm, { address, content }: Counted): (tx: Tx) => Promise<void> {
  return async (tx) => {
    const now = app.clock.now();
    await countAddress(tx, limitsOf(app, form, address), now);
    if (!(await countFirst(tx, repeatName(content), { now, windowMs: repeatMs }))) throw new RepeatedSending();
  };
}

/** For its address alone: what was not stored may be sent again. */
export async function countRefused(app: App, form: OpenForm, address: string): Promise<void> {
  const limits = limitsOf(app, form, address);
  if (limits.length > 0) await app.storage.write((tx) => countAddress(tx, limits, app.clock.now()));
}

async function countAddress(tx: Tx, limits: readonly Limit[], now: number): Promise<void> {
  for (const { name, limit, windowMs } of limits) {
    const counted = await addToCounter(tx, name, { amount: 1, now, windowMs });
    if (counted.count > limit) throw tooMany(counted.expires - now);
  }
}

/** Before anything else is asked: the sending for its address, and its content. True: the same was sent a moment ago. */
export function countSending(
  app: App,
  form: OpenForm,
  { address, content, token }: Counted & { token: string | undefined },
): Promise<boolean> {
  return app.storage.write(async (tx) => {
    const now = app.clock.now();
    await countAddress(tx, limitsOf(app, form, address), now);
    // The second page of a challenge brings the same again, once.
    const name = token === undefined ? repeatName(content) : counterName("form-challenge", token);
    return !(await countFirst(tx, name, { now, windowMs: token ? onceMs : repeatMs }));
  });
}

/** False: it was counted before. */
export function countOnce({ storage, clock }: App, name: string): Promise<boolean> {
  return storage.write((tx) => countFirst(tx, name, { now: clock.now(), windowMs: onceMs }));
}

/** The content is a hash already. */
function repeatName(content: string): string {
  return `form-content:${content.slice(0, 32)}`;
}

/** What was not stored may be sent again. */
export async function forgetContent({ storage }: App, content: string): Promise<void> {
  await storage.write((tx) => deleteCounter(tx, repeatName(content)));
}

function tooMany(waitMs: number): CairnError {
  return rateLimited(waitMs, "The form was sent too often. Try again later.");
}
