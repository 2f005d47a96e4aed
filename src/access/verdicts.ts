// The kind of cache for what credentials were found to be: keys, sessions, tokens and the users behind them. Each is kept under the
// version of its rows, so a deleted key stops working at once.

import type { CacheRoom } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";

const entryBytes = 500;

export function verdictRoom(capacity: number): CacheRoom {
  return { kind: cacheKinds.verdicts, capacity, unit: entryBytes };
}
