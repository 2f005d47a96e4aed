// The last time that a kind of cache was cleared: with a number, and with what was meant where that was not all of it.

import { invalidate } from "#storage/invalidate.ts";
import type { Reader, Tx, VersionScope } from "#storage/port.ts";

export interface Clearing {
  /** Clearings are numbered one by one. */
  number: number;
  path?: string | undefined;
  tag?: string | undefined;
}

export async function putClearing(
  tx: Tx,
  scope: VersionScope,
  { path, tag }: Omit<Clearing, "number"> = {},
): Promise<void> {
  const { number } = await findClearing(tx, scope, tx.dialect.forUpdate);
  await invalidate(tx, scope, JSON.stringify({ number: number + 1, path, tag }));
}

export async function findClearing(db: Reader, scope: VersionScope, lock = ""): Promise<Clearing> {
  const row = await db.one<{ stamped: string }>(`SELECT stamped FROM stamps WHERE scope = ? ${lock}`, [scope]);
  return row ? (JSON.parse(row.stamped) as Clearing) : { number: 0 };
}
