// The links that prove an address, after a registration and after a change of address.
// One page and one route accept both.

import { findToken, noteOf, takeToken } from "#access/account-tokens.ts";
import { findAccount, findAccountByEmail, isUsable, usersCollection } from "#access/accounts.ts";
import { system } from "#access/actor.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { changeObject } from "#content/objects/change-object.ts";
import { type Context, contextFor } from "#context.ts";
import { refuseToken } from "./password-reset.ts";
import { deleteIfThere, isVerificationToken, verifyEmail } from "./registration.ts";
import { isUnverified } from "./unverified.ts";

const purpose = "address";

/** Whether the link still works; looking does not use it up. */
export async function isAddressToken(ctx: Context, token: string): Promise<boolean> {
  return (await findToken(ctx, token, purpose)) !== undefined || isVerificationToken(ctx, token);
}

export async function verifyAddress(ctx: Context, token: string): Promise<void> {
  const found = await findToken(ctx, token, purpose);
  if (!found) return verifyEmail(ctx, token);
  const account = await findAccount(ctx, found.userId);
  if (!account || account.rid !== found.userRid || !isUsable(account, ctx.clock.iso())) return refuseToken();
  const email = noteOf(token);
  // A user that registered the address and never opened a link has not shown that it is theirs.
  const other = await findAccountByEmail(ctx, email);
  if (other && other.id !== account.id && (await isUnverified(ctx, other))) await deleteIfThere(ctx, other);
  await changeObject(
    contextFor(ctx, system, ctx.origin),
    { collection: await getCollection(ctx, usersCollection), id: account.id },
    {
      sent: { email },
      change: (current) => ({ input: { ...current, email }, changed: new Set(["email"]) }),
      async within(tx, row) {
        const taken = await takeToken(tx, token, { purpose, clock: ctx.clock });
        if (taken?.userRid !== row.rid) refuseToken();
      },
    },
  );
}
