// The definitions that nodes share, for administrators: what the database has, what this node has beside it, and taking in
// files that were here before the node joined.

import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { MirrorStatus } from "#definitions/mirror.ts";

/** Undefined: the files of the data directory decide. */
export async function getDefinitionsStatus(ctx: Context): Promise<MirrorStatus | undefined> {
  allow(ctx, "read", { kind: "settings" });
  return ctx.definitions?.status();
}

export interface TakenFile {
  /** Kind and id. */
  key: string;
  isTaken: boolean;
}

export async function importDefinitions(ctx: Context, { dryRun = false } = {}): Promise<TakenFile[]> {
  allow(ctx, "update", { kind: "settings" });
  const { definitions } = ctx;
  if (!definitions) return fail("invalid", "The files of the data directory decide here: there is nothing to import.");
  if (dryRun) return (await definitions.status()).left.map((key) => ({ key, isTaken: false }));
  return definitions.takeLeft();
}
