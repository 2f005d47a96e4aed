// What scopes amount to in the hands of one user: which may be issued, and what they open.

import type { UserActor } from "#access/actor.ts";
import { listCollections, listOpenCollections } from "#content/collections.ts";
import { type App, contextFor } from "#context.ts";
import type { Permissions, ResourcePermission, SurfacePermission } from "#contract/access-groups.ts";
import { hasScope, type Scope } from "#contract/scopes.ts";

/** Administering is for administrators, and for whoever has any right over schemas, collections or utilities. */
export function issuableScopes(scopes: readonly Scope[], { isAdmin, permissions }: UserActor): Scope[] {
  const mayAdminister = isAdmin || permissions.some(hasAdminRight);
  return scopes.filter((scope) => scope !== "cms:admin" || mayAdminister);
}

function hasAdminRight({ schemas, collectionsMeta, utils }: Permissions): boolean {
  return isGranted(schemas) || isGranted(collectionsMeta) || namesAny(utils);
}

function isGranted(permission: ResourcePermission): boolean {
  return permission.operations.length > 0 && namesAny(permission);
}

function namesAny({ all, allowed }: SurfacePermission): boolean {
  return all || allowed.length > 0;
}

export interface Reach {
  /** Everything, without any limit of groups. */
  isUnlimited: boolean;
  reads: { name: string; count: number }[];
  writes: { name: string; count: number }[];
}

/** Which collections the scopes open for this user at this moment. */
export async function reachOf(app: App, user: UserActor, scopes: readonly Scope[]): Promise<Reach> {
  const held = new Set(scopes);
  const actor = {
    ...({ kind: "token", id: user.id, clientId: "", grantId: "" } as const),
    ...{ scopes: held, isAdmin: user.isAdmin, permissions: user.permissions },
  };
  const ctx = contextFor(app, actor);
  const readable = await listCollections(ctx);
  const named = readable.map(({ name, title, count }) => ({ id: name, name: title || name, count }));
  const writable = new Set<string>();
  for (const operation of ["create", "update", "delete"] as const) {
    for (const { id } of await listOpenCollections(ctx, operation)) writable.add(id);
  }
  const shown = (list: typeof named) => list.map(({ name, count }) => ({ name, count }));
  return {
    isUnlimited: user.isAdmin && held.has("cms:admin"),
    reads: hasScope(held, "cms:read") ? shown(named) : [],
    writes: hasScope(held, "cms:write") ? shown(named.filter(({ id }) => writable.has(id))) : [],
  };
}
