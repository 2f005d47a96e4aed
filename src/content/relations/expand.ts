// Loads the objects that come along with an answer: level by level, one read for each collection, each object once for each
// path. What the caller may not read is left out. Bounded in objects and in characters.

import { isDraft } from "#content/objects/stored-document.ts";
import { findDocumentText } from "#content/query/lists.ts";
import { pageCacheOf, type Stamp } from "#content/query/page-cache.ts";
import { refuse } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { idsOf } from "#schemas/relations.ts";
import { askDocuments } from "#storage/query/object-versions.ts";
import { type ExpandPlan, type Hop, shownSchema } from "./expand-plan.ts";

const maxObjects = 1_000;
const maxText = 4_000_000;

interface Loaded {
  text: string;
  /** Parsed when a path goes on from it. */
  document?: JsonObject;
}

/** Of one collection, by id; undefined: it is not there, or not for this caller. */
type LoadedById = Map<string, Loaded | undefined>;

/** JSON text: `{path: {id: object}}`. `documents`: of the plan's collection. */
export function expandDocuments(ctx: Context, plan: ExpandPlan, documents: readonly JsonObject[]): Promise<string> {
  const gathered = gatherReferences(ctx, plan);
  for (const document of documents) gathered.add(document);
  return gathered.load();
}

/** For documents that are too many to be held at once. */
export function gatherReferences(
  ctx: Context,
  { collection, hops }: ExpandPlan,
): { add(document: JsonObject): void; load(): Promise<string> } {
  const schema = shownSchema(ctx, collection);
  const firsts = hops.filter(({ before }) => before === undefined).map((hop) => ({ hop, ids: new Set<string>() }));
  return {
    add(document) {
      for (const { hop, ids } of firsts) {
        for (const id of idsOf(schema, document, hop.relation.path)) ids.add(id);
        if (hop.target && ids.size > maxObjects) refuseMany();
      }
    },
    load: () => loadLevels(ctx, hops, firsts),
  };
}

interface Wanted {
  hop: Hop;
  ids: ReadonlySet<string>;
}

async function loadLevels(ctx: Context, hops: readonly Hop[], firsts: readonly Wanted[]): Promise<string> {
  const loaded = new Map<string, LoadedById>();
  const found = new Map<Hop, Map<string, Loaded>>();
  let wanted = firsts;
  while (wanted.length > 0) {
    await load(ctx, loaded, wanted);
    for (const { hop, ids } of wanted) {
      const objects = loaded.get(hop.target?.id ?? "");
      found.set(hop, new Map([...ids].flatMap((id) => entryOf(id, objects?.get(id)))));
    }
    const reached = new Set(wanted.map(({ hop }) => hop));
    wanted = hops.flatMap((hop) => {
      const { before, relation } = hop;
      if (!before?.target || !reached.has(before)) return [];
      const schema = shownSchema(ctx, before.target);
      const sources = documentsOf(found.get(before));
      return [{ hop, ids: new Set(sources.flatMap((one) => idsOf(schema, one, relation.path))) }];
    });
  }
  return textOf(hops, found);
}

function entryOf(id: string, object: Loaded | undefined): [string, Loaded][] {
  return object ? [[id, object]] : [];
}

function refuseMany(): never {
  refuse("expand", `More than ${maxObjects} objects would come along. Ask for fewer objects, or for fewer paths.`);
}

function documentsOf(objects: ReadonlyMap<string, Loaded> = new Map()): JsonObject[] {
  return [...objects.values()].map((object) => {
    object.document ??= JSON.parse(object.text) as JsonObject;
    return object.document;
  });
}

/** What is not loaded yet, one read for each collection. */
async function load(ctx: Context, loaded: Map<string, LoadedById>, wanted: readonly Wanted[]): Promise<void> {
  const missing = new Map<Hop["target"] & object, { reach: Hop["reach"]; ids: Set<string> }>();
  for (const { hop, ids } of wanted) {
    const { target, reach } = hop;
    if (!target || target.isVirtual) continue;
    const known = loaded.get(target.id);
    const own = missing.get(target) ?? { reach, ids: new Set<string>() };
    for (const id of ids) if (!known?.has(id) && (reach !== "own" || isSelf(ctx, id))) own.ids.add(id);
    missing.set(target, own);
  }
  let count = [...missing.values()].reduce((sum, { ids }) => sum + ids.size, 0);
  for (const objects of loaded.values()) count += objects.size;
  if (count > maxObjects) refuseMany();
  await Promise.all(
    [...missing].map(async ([target, { reach, ids }]) => {
      const objects: LoadedById = loaded.get(target.id) ?? new Map();
      loaded.set(target.id, objects);
      for (const id of ids) objects.set(id, undefined);
      for (const row of await askDocuments(ctx.storage, target.id, [...ids], ctx.caller)) {
        if (reach === "published" && isDraft(row)) continue;
        const text = findDocumentText(ctx, target, row);
        if (text !== undefined) objects.set(row.id, { text });
      }
    }),
  );
}

function isSelf({ actor }: Context, id: string): boolean {
  return actor.kind === "user" && actor.id === id;
}

function textOf(hops: readonly Hop[], found: ReadonlyMap<Hop, ReadonlyMap<string, Loaded>>): string {
  let size = 0;
  const parts = hops.map((hop) => {
    const objects = [...(found.get(hop) ?? [])];
    for (const [, { text }] of objects) size += text.length;
    if (size > maxText)
      refuse("expand", "The objects that would come along are too large. Ask for fewer objects, or for fewer paths.");
    const entries = objects.map(([id, { text }]) => `${JSON.stringify(id)}:${text}`);
    return `${JSON.stringify(hop.name)}:{${entries.join(",")}}`;
  });
  return `{${parts.join(",")}}`;
}

/**
 * From memory when the same was asked before, and neither the collection nor one that objects come from has changed since.
 * `asked`: what the answer is; undefined: it is another one each time.
 */
export async function keepExpansion(
  ctx: Context,
  { collection, hops }: ExpandPlan,
  asked: string | undefined,
  make: () => Promise<string>,
): Promise<string> {
  if (asked === undefined) return make();
  const { storage, surface, actor } = ctx;
  const reaches = hops.map(
    ({ name, reach }) => `${name}:${reach === "own" && "id" in actor ? `own ${actor.id}` : reach}`,
  );
  const key = `expand ${surface ?? ""} ${reaches.join(",")} ${collection.id} ${asked}`;
  const targets = [collection, ...hops.flatMap(({ target }) => target ?? [])];
  const stamp: Stamp = {
    scopes: ["collections", ...targets.map(({ id }) => `objects:${id}` as const)],
    more: targets.map(({ schema }) => schema.rev).join(" "),
  };
  const page = await pageCacheOf(storage).pages.get(key, stamp, async () => ({ text: await make() }), ctx.caller);
  return "text" in page ? page.text : make();
}
