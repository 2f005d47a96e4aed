// What scopes mean for one user: which may be issued, and what they open.

import type { UserActor } from "#access/actor.ts";
import { listOpenCollections } from "#content/collections/collection-cache.ts";
import { listCollections } from "#content/collections/collections.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { Permissions, ResourcePermission, SurfacePermission } from "#contract/access-groups.ts";
import { hasScope, type Scope } from "#contract/scopes.ts";
import { issuerOf, opensResource } from "./issuer.ts";

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

export interface Reached {
  id: string;
  name: string;
  /** Number of objects; undefined where the user may write but not read. */
  count: number | undefined;
}

/** What is asked for or granted. */
interface Granted {
  scopes: readonly Scope[];
  /** What the tokens are for: it may close one of the two doors. */
  resource: string;
}

/** Collections that the scopes open for this user at this moment. */
export async function reachOf(app: App, user: UserActor, { scopes, resource }: Granted): Promise<Reach> {
  const held = new Set(scopes);
  const actor = {
    ...({ kind: "token", id: user.id, clientId: "", grantId: "" } as const),
    ...{ scopes: held, isAdmin: user.isAdmin, permissions: user.permissions },
  };
  const { reading, writing } = doorsOf(contextFor(app, actor), held, resource);
  return {
    isUnlimited: user.isAdmin && held.has("cms:admin") && reading.length > 0,
    reads: await listReadable(reading),
    writes: await listWritable(writing),
  };
}

interface Doors {
  reading: Context[];
  writing: Context[];
}

/** Over MCP a collection shows what its card exposes, and its objects are resources, which take no cms:read. */
function doorsOf(ctx: Context, held: ReadonlySet<Scope>, resource: string): Doors {
  const issuer = issuerOf(ctx);
  const api = opensResource(issuer, resource, "api") ? [ctx] : [];
  const isMcpOpen = ctx.settings.get("mcp.enabled") && opensResource(issuer, resource, "mcp");
  const mcp = isMcpOpen ? [{ ...ctx, surface: "mcp" as const }] : [];
  const callsTools = held.has("mcp:tools");
  const isReader = hasScope(held, "cms:read");
  const isWriter = hasScope(held, "cms:write");
  return {
    reading: [...(isReader ? api : []), ...(held.has("mcp:resources") || (isReader && callsTools) ? mcp : [])],
    writing: [...(isWriter ? api : []), ...(isWriter && callsTools ? mcp : [])],
  };
}

async function listReadable(doors: readonly Context[]): Promise<Reached[]> {
  const reached = new Map<string, Reached>();
  for (const door of doors) {
    for (const { name, title, count } of await listCollections(door))
      reached.set(name, { id: name, name: title || name, count });
  }
  return [...reached.values()];
}

async function listWritable(doors: readonly Context[]): Promise<Reached[]> {
  const counts = new Map((await listReadable(doors)).map(({ id, count }) => [id, count]));
  const reached = new Map<string, Reached>();
  for (const door of doors) {
    for (const operation of ["create", "update", "delete"] as const) {
      for (const { id, settings } of await listOpenCollections(door, operation))
        reached.set(id, { id, name: settings.name || id, count: counts.get(id) });
    }
  }
  return [...reached.values()];
}
