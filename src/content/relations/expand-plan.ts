// What `expand=author,ingredients.product` asks for: each path as hops from one collection to the next, with what the caller
// may read of each. A path that is no relation is refused; one into a collection that the caller may not read leads to nothing.

import { isAllowed, isLetInBelow } from "#access/allow.ts";
import { CairnError } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection, subjectOf } from "#content/collections/collection-cache.ts";
import { seesDrafts } from "#content/collections/open-collection.ts";
import { findText, type Params, refuse, shown } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import { exposedSchema } from "#schemas/mcp-visibility.ts";
import { type Relation, relationsOf } from "#schemas/relations.ts";
import type { FlatSchema } from "#schemas/types.ts";

const maxPaths = 10;
const maxDepth = 3;

/** What a caller may read of a collection: its own record alone, what is published, or all of it. */
export type Reach = "nothing" | "own" | "published" | "all";

export interface Hop {
  /** As in the answer: the path from the object that was asked for. */
  name: string;
  /** The hop before it; absent: it starts at the objects that were asked for. */
  before?: Hop;
  /** 1 for those that start there. */
  depth: number;
  relation: Relation;
  /** Absent: there is none, or the caller may read nothing of it. */
  target?: Collection;
  reach: Reach;
}

export interface ExpandPlan {
  collection: Collection;
  /** Each behind the one before it. */
  hops: readonly Hop[];
}

/** Undefined: nothing is to come along. */
export async function planExpand(
  ctx: Context,
  collection: Collection,
  params: Params,
): Promise<ExpandPlan | undefined> {
  const paths = readPaths(params);
  if (paths.length === 0) return undefined;
  const hops = new Map<string, Hop>();
  for (const path of paths) await addPath(ctx, { collection, hops }, path);
  return { collection, hops: [...hops.values()] };
}

function readPaths(params: Params): string[] {
  const names = (findText(params, "expand") ?? "").split(",").map((name) => name.trim());
  const paths = [...new Set(names.filter((name) => name !== ""))];
  if (paths.length > maxPaths) refuse("expand", `expand takes at most ${maxPaths} paths.`);
  return paths;
}

async function addPath(
  ctx: Context,
  { collection, hops }: { collection: Collection; hops: Map<string, Hop> },
  path: string,
): Promise<void> {
  let rest = path.split(".");
  let before: Hop | undefined;
  while (rest.length > 0) {
    const from = before ? before.target : collection;
    // Its schema is not for this caller, so nothing tells whether the rest of the path is right.
    if (!from) return;
    const relation = findRelation(shownSchema(ctx, from), rest);
    if (!relation) refusePath(ctx, from, path);
    const name = before ? `${before.name}.${relation.name}` : relation.name;
    const depth = (before?.depth ?? 0) + 1;
    if (depth > maxDepth) refuse("expand", `${shown(path)} follows more than ${maxDepth} relations.`);
    const known = hops.get(name);
    const hop: Hop = known ?? {
      name,
      depth,
      relation,
      ...(before && { before }),
      ...(await reach(ctx, relation.target)),
    };
    hops.set(name, hop);
    rest = rest.slice(relation.path.length);
    before = hop;
  }
}

/** As this caller's door shows it. */
export function shownSchema({ surface }: Pick<Context, "surface">, { schema }: Collection): FlatSchema {
  return surface === "mcp" ? exposedSchema(schema) : schema;
}

function findRelation(schema: FlatSchema, names: readonly string[]): Relation | undefined {
  return relationsOf(schema).find(({ path }) => path.every((name, at) => name === names[at]));
}

function refusePath(ctx: Context, collection: Collection, path: string): never {
  const names = relationsOf(shownSchema(ctx, collection)).map(({ name }) => name);
  const there = names.length > 0 ? `It has: ${names.slice(0, 20).join(", ")}.` : "It has none.";
  refuse("expand", `${shown(path)} is no path of relations of the collection "${collection.id}". ${there}`);
}

async function reach(ctx: Context, id: string): Promise<Pick<Hop, "target" | "reach">> {
  const target = await findReadable(ctx, id);
  return target ?? { reach: "nothing" };
}

/** Undefined: there is no such collection, or the caller may read nothing of it. */
export async function findReadable(
  ctx: Context,
  id: string,
): Promise<{ target: Collection; reach: Exclude<Reach, "nothing"> } | undefined> {
  if (ctx.closed?.has(id)) return undefined;
  const target = await findUsable(ctx, id);
  if (!target) return undefined;
  const { actor } = ctx;
  if (isLetInBelow(actor, id)) return undefined;
  if (isAllowed(actor, "read", subjectOf(ctx, id, target.settings)))
    return { target, reach: seesDrafts(ctx, "read", id) ? "all" : "published" };
  const isOwn = actor.kind === "user" && isAllowed(actor, "read", subjectOf(ctx, id, target.settings, actor.id));
  return isOwn ? { target, reach: "own" } : undefined;
}

/** A collection whose schema cannot be read counts as absent. */
async function findUsable(ctx: Context, id: string): Promise<Collection | undefined> {
  try {
    return await findCollection(ctx, id);
  } catch (error) {
    if (error instanceof CairnError && error.word === "unavailable") return undefined;
    throw error;
  }
}
