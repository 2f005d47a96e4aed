// Names that one transaction at a time may have: for what is counted before it is added, so that no two that count at the
// same moment both find room. Take the lock before the count.

import type { Tx } from "./port.ts";

/** To the end of the transaction. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  const { lockName: sql } = tx.dialect;
  if (sql !== undefined) await tx.one(sql, [name]);
}
