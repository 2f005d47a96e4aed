// Places of sandboxed calls: the machines are shared with automations and data views, which must always find one free.

import { CairnError } from "#base/errors.ts";

const maxPlaces = 6;
const maxOfOne = 3;

const taken = new Map<string, number>();
const waiting: { id: string; enter(): void }[] = [];
let total = 0;

/** Resolves to the function that gives the place back. */
export async function takePlace(id: string, signal: AbortSignal | undefined): Promise<() => void> {
  if (!isFree(id)) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry = { id, enter: resolve };
    const leave = () => {
      const at = waiting.indexOf(entry);
      if (at < 0) return;
      waiting.splice(at, 1);
      reject(new CairnError("unavailable", `The extension ${id} has too many calls at a time.`));
    };
    waiting.push(entry);
    signal?.addEventListener("abort", leave, { once: true });
    await promise.finally(() => signal?.removeEventListener("abort", leave));
  } else enter(id);
  let isGiven = false;
  return () => {
    if (isGiven) return;
    isGiven = true;
    give(id);
  };
}

function isFree(id: string): boolean {
  return total < maxPlaces && (taken.get(id) ?? 0) < maxOfOne;
}

function enter(id: string): void {
  total += 1;
  taken.set(id, (taken.get(id) ?? 0) + 1);
}

function give(id: string): void {
  total -= 1;
  taken.set(id, (taken.get(id) ?? 1) - 1);
  const at = waiting.findIndex((one) => isFree(one.id));
  const [next] = at < 0 ? [] : waiting.splice(at, 1);
  if (!next) return;
  enter(next.id);
  next.enter();
}
