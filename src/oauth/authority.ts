// What scopes mean for one user: which may be issued, and what they open.

import type { UserActor } from "#access/actor.ts";
import { listOpenCollections } from "#content/collections/collection-cache.ts";
import { listCollections } from "#content/collections/collections.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { Permissions, ResourcePermission, SurfacePermission } from "#contract/access-groups.ts";
import { hasScope, type Scope } from "#contract/scopes.ts";

/** For administrators, and for users with any right over schemas, collections or utilities. */
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
  /** Everything: no groups limit it. */
  isUnlimited: boolean;
  reads: Reached[];
  writes: Reached[];
}

interface Reached {
  name: string;
  /** Number of objects; undefined where the user may write but not read. */
  count: number | undefined;
}

/** Collections that the scopes open for this user at this moment. */
export async function reachOf(app: App, user: UserActor, scopes: readonly Scope[]): Promise<Reach> {
  const held = new Set(scopes);
  const actor = {
    ...({ kind: "token", id: user.id, clientId: "", grantId: "" } as const),
    ...{ scopes: held, isAdmin: user.isAdmin, permissions: user.permissions },
  };
  const ctx = contextFor(app, actor);
  return {
    isUnlimited: user.isAdmin && held.has("cms:admin"),
    reads: await listReadable(readingDoors(ctx, held)),
    writes: hasScope(held, "cms:write") ? await listWritable(ctx) : [],
  };
}

/** Over MCP a collection shows what its card exposes, and its objects are resources, which take no cms:read. */
function readingDoors(ctx: Context, held: ReadonlySet<Scope>): Context[] {
  const isReader = hasScope(held, "cms:read");
  const isMcpReader = held.has("mcp:resources") || (isReader && held.has("mcp:tools"));
  return [...(isReader ? [ctx] : []), ...(isMcpReader ? [{ ...ctx, surface: "mcp" as const }] : [])];
}

async function listReadable(doors: readonly Context[]): Promise<Reached[]> {
  const reached = new Map<string, Reached>();
  for (const door of doors) {
    for (const { name, title, count } of await listCollections(door)) reached.set(name, { name: title || name, count });
  }
  return [...reached.values()];
}

async function listWritable(ctx: Context): Promise<Reached[]> {
  const counts = new Map((await listCollections(ctx)).map(({ name, count }) => [name, count]));
  const reached = new Map<string, Reached>();
  for (const operation of ["create", "update", "delete"] as const) {
    for (const { id, settings } of await listOpenCollections(ctx, operation))
      reached.set(id, { name: settings.name || id, count: counts.get(id) });
  }
  return [...reached.values()];
}
