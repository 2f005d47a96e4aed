// The server processes that share the database, for administrators, and whether this one was passed over by a newer version.

import { allow } from "#access/allow.ts";
import type { Context } from "#context.ts";
import { findOutdated, quietMs } from "#jobs/nodes.ts";
import { listNodes, type NodeRow } from "#storage/tables/nodes/nodes.ts";

export interface ListedNode extends NodeRow {
  /** It was seen in the last minute. */
  isThere: boolean;
}

/** Undefined: the database is not shared. */
export async function listServerNodes(ctx: Context): Promise<ListedNode[] | undefined> {
  allow(ctx, "read", { kind: "settings" });
  if (!ctx.storage.shared) return undefined;
  const since = new Date(ctx.clock.now() - quietMs).toISOString();
  return (await listNodes(ctx.storage)).map((node) => ({ ...node, isThere: node.seen >= since }));
}

export const isOutdated = (storage: Context["storage"]): boolean => findOutdated(storage) !== undefined;
