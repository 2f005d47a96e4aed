// Users that have registered and not yet opened the link that proves their address.

import { type Account, usersCollection } from "#access/accounts.ts";
import type { Context } from "#context.ts";
import { hasToken } from "#storage/tables/account-tokens.ts";
import type { ObjectRow } from "#storage/tables/object-row.ts";
import { findObject } from "#storage/tables/objects.ts";

export async function isUnverified(ctx: Context, { id, rid, isActive }: Account): Promise<boolean> {
  const row = isActive ? undefined : await findObject(ctx.storage, usersCollection, id);
  if (row?.rid !== rid || !isUntouched(row)) return false;
  return hasToken(ctx.storage, { purpose: "verify", userId: id, userRid: rid });
}

/** An old link does not open the account of a user that an administrator has changed since, for example closed. */
export function isUntouched({ rev }: ObjectRow): boolean {
  return rev === 1;
}
