// Names that one transaction at a time may have: for what is counted before it is added, so that no two that count at the
// same moment both find room. Take the lock before the count. Where several transactions write at once, a name is a row of a table,
// which any such engine can lock.

import type { Tx } from "./port.ts";

/** To the end of the transaction. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  const { names } = tx.dialect;
  if (names) await tx.run(names.lock, [name]);
}

/** Those that nobody has and that were not used for an hour. Resolves to how many there were. */
export async function deleteUnusedNames(tx: Tx): Promise<number> {
  const { names } = tx.dialect;
  return names ? tx.run(names.deleteUnused) : 0;
}
