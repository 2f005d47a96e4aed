// Tells every process that something beside the database has changed: the write makes the notice reach them.

import type { Scope, Tx } from "./port.ts";

export async function stamp(tx: Tx, scope: Scope, now: string): Promise<void> {
  await tx.run(
    "INSERT INTO stamps (scope, stamped) VALUES (?, ?) ON CONFLICT (scope) DO UPDATE SET stamped = excluded.stamped",
    [scope, now],
  );
  tx.touch(scope);
}
