// Tells every process that something beside the database has changed: the write makes the notice reach them.

import type { Tx, VersionScope } from "./port.ts";

export async function invalidate(tx: Tx, scope: VersionScope, now: string): Promise<void> {
  await tx.run(
    "INSERT INTO stamps (scope, stamped) VALUES (?, ?) ON CONFLICT (scope) DO UPDATE SET stamped = excluded.stamped",
    [scope, now],
  );
  tx.touch(scope);
}
