// What is asked before an access group is saved or deleted. The answer needs collections and settings, which this room does not know:
// `app.ts` names the guard once.

import type { App, Context } from "#context.ts";
import type { AccessGroup } from "#contract/access-groups.ts";
import type { Storage } from "#storage/port.ts";

export interface GroupGuard {
  /** Does the work, or fails because nobody has confirmed what follows from it. */
  save<T>(ctx: Context, saved: { group: AccessGroup; isConfirmed: boolean }, work: () => Promise<T>): Promise<T>;
  /** Does the work, or fails because the group is in use. */
  delete<T>(ctx: Context, id: string, work: () => Promise<T>): Promise<T>;
}

const none: GroupGuard = { save: (_ctx, _saved, work) => work(), delete: (_ctx, _id, work) => work() };

const named = new WeakMap<Storage, GroupGuard>();

export function nameGroupGuard({ storage }: Pick<App, "storage">, guard: GroupGuard): void {
  named.set(storage, guard);
}

export function guardOf({ storage }: Pick<App, "storage">): GroupGuard {
  return named.get(storage) ?? none;
}
