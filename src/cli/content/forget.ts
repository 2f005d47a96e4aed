// history:forget: erasure in the log of changes.

import type { Call } from "#cli/call.ts";
import { requireConsent } from "#cli/prompts.ts";
import { UsageError } from "#cli/usage.ts";
import { forgetObject, forgetUser } from "#content/history/forget.ts";

interface Options {
  user?: string;
  force?: boolean;
}

export async function forget(
  call: Call,
  { user, force }: Options,
  ...[collection, id]: [string | undefined, string | undefined]
): Promise<number> {
  if (user !== undefined && collection === undefined) return forgetWriter(call, user, force === true);
  if (user !== undefined || collection === undefined || id === undefined)
    throw new UsageError("Name a collection and an id, or a user with --user.");
  const question = `Erase all old versions of ${collection}/${id}, its notes and its trash?`;
  if (!(await isAgreed(call, force === true, question))) return 1;
  const done = await call.work((ctx) => forgetObject(ctx, collection, id));
  if (call.isJson) await call.out.json({ ...done });
  else await call.out.line(`The contents of ${done.changes} changes and ${done.notes} notes are gone.`);
  return 0;
}

async function forgetWriter(call: Call, user: string, isForced: boolean): Promise<number> {
  if (!(await isAgreed(call, isForced, `Put a pseudonym in the place of ${user} in the whole log?`))) return 1;
  const done = await call.work((ctx) => forgetUser(ctx, user));
  if (call.isJson) await call.out.json({ ...done });
  else await call.out.line(`${done.pseudonym} stands in the place of the user (${done.writers} writers).`);
  return 0;
}

async function isAgreed(call: Call, isForced: boolean, question: string): Promise<boolean> {
  if (await requireConsent(call.host, isForced, question)) return true;
  call.remark("Nothing is erased.");
  return false;
}
