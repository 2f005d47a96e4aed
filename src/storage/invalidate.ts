// Invalidates caches of every process after a change outside the database: a write sends the notice.

import type { Tx, VersionScope } from "./port.ts";

export async function invalidate(tx: Tx, scope: VersionScope, now: string): Promise<void> {
  await tx.run(
    "INSERT INTO stamps (scope, stamped) VALUES (?, ?) ON CONFLICT (scope) DO UPDATE SET stamped = excluded.stamped",
    [scope, now],
  );
  tx.touch(scope);
}
