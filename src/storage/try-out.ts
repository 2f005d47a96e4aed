// Work in a transaction that is always rolled back: what it would do is known, and nothing is stored.

import type { Storage, Tx } from "./port.ts";

class RolledBack extends Error {}

export async function tryOut<T>({ write }: Pick<Storage, "write">, work: (tx: Tx) => Promise<T>): Promise<T> {
  let done: { value: T } | undefined;
  try {
    return await write(async (tx) => {
      // A transaction may run twice.
      done = undefined;
      done = { value: await work(tx) };
      throw new RolledBack();
    });
  } catch (error) {
    if (error instanceof RolledBack && done) return done.value;
    throw error;
  }
}
