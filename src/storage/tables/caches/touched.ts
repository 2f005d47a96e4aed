// The scopes that commits have touched, which other processes ask for. Rows go when every process
// has either seen them or dropped what it had cached. Elsewhere there are none.

import type { Reader, Tx } from "#storage/port.ts";

/** A mark: all transactions below it are over. Undefined: nothing is kept. */
export async function readHorizon(db: Reader): Promise<string | undefined> {
  const { touched } = db.dialect;
  return touched && (await db.one<{ horizon: string }>(touched.horizon))?.horizon;
}

/** Of transactions below the mark. Resolves to how many rows there were. */
export async function deleteTouchedBefore(tx: Tx, horizon: string): Promise<number> {
  const { touched } = tx.dialect;
  return touched ? tx.run(touched.deleteBefore, [horizon]) : 0;
}
