// What saving a schema would do to the objects there are. Reads only: documents come from reader threads, in slices and with a
// limit, so that no request waits for a plan; what was not counted is reported.

import { isAllowed } from "#access/allow.ts";
import { createPause } from "#base/event-loop.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { SchemaPlan } from "#contract/schemas.ts";
import { addedKinds } from "#schemas/added-kinds.ts";
import { findFlatSchema, findRawSchema, readRecord } from "#schemas/find-schema.ts";
import { createFlattener } from "#schemas/flatten.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { askSlice, type StoredObject } from "#storage/tables/object-batches.ts";
import { readConfig } from "./collection-cache.ts";
import { lintUnsaved } from "./lint.ts";
import { seesDrafts } from "./open-collection.ts";
import { type ChangeKind, changesIn, diffSchemas, type PropertyChange, type SchemaDiff } from "./schema-diff.ts";
import { familyOf, prepareChange } from "./schemas.ts";

const sliceSize = 200;
const maxObjects = 100_000;
const maxMs = 15_000;

export interface ContentPlan {
  /** Without what names the properties: that is in rooms above this one. */
  plan: Omit<SchemaPlan, "mentions">;
  /** All collections that it concerns, whether the caller may read them or not. */
  concerned: string[];
}

interface Target {
  id: string;
  objects: number;
  schema: FlatSchema;
}

/** Objects of each collection, by change. */
type Counts = Map<PropertyChange, Map<string, number>>;

/** Takes the right to save it. A schema that could not be saved is refused in the same way. */
export async function planSchema(ctx: Context, body: Json): Promise<ContentPlan> {
  const record = prepareChange(ctx, body);
  const { id } = record;
  const saved = readRecord(id, record as unknown as JsonObject);
  const findAfter = createFlattener(
    (other) => (other === id ? saved : findRawSchema(ctx, other)),
    addedKinds(ctx.storage),
  );
  const family = familyOf(ctx, id);
  const diffs = diffFamily(ctx, family, findAfter);
  const concerned = await findTargets(ctx, family);
  const targets = concerned.filter(({ id: collection }) => seesDrafts(ctx, "read", collection));
  const own = diffs.get(id) as SchemaDiff;
  const { counts, counted } = await count(ctx, targets, diffs);
  const isReindexed = targets.some(({ schema }) => findAfter(schema.id)?.rev !== schema.rev);
  const plan = {
    collections: targets.map(({ id: collection, objects }) => ({ id: collection, objects })),
    hasOthers: targets.length < concerned.length,
    added: own.added,
    ...present(counts),
    index: { ...own.index, objects: isReindexed ? targets.reduce((sum, { objects }) => sum + objects, 0) : 0 },
    children: [...family].filter((member) => member !== id && mayReadSchema(ctx, member)).sort(),
    findings: await lintUnsaved(ctx, record as unknown as Json),
    counted,
  };
  return { plan, concerned: concerned.map((target) => target.id) };
}

function mayReadSchema({ actor }: Context, schema: string): boolean {
  return isAllowed(actor, "read", { kind: "schemas", schema });
}

/** The schema, and those that inherit from it: each may override some properties. */
function diffFamily(
  ctx: Context,
  family: ReadonlySet<string>,
  findAfter: (id: string) => FlatSchema | undefined,
): Map<string, SchemaDiff> {
  const diffs = new Map<string, SchemaDiff>();
  for (const id of family) {
    const after = findAfter(id);
    if (after) diffs.set(id, diffSchemas(findFlatSchema(ctx, id), after));
  }
  return diffs;
}

async function findTargets(ctx: Context, family: ReadonlySet<string>): Promise<Target[]> {
  const targets: Target[] = [];
  for (const row of await listCollectionRows(ctx.storage)) {
    const config = row.isDeleting ? undefined : readConfig(ctx, row);
    const schema = config && family.has(config.schema) ? findFlatSchema(ctx, config.schema) : undefined;
    if (schema) targets.push({ id: row.id, objects: row.totalObjects, schema });
  }
  return targets.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function count(
  ctx: Context,
  targets: readonly Target[],
  diffs: ReadonlyMap<string, SchemaDiff>,
): Promise<{ counts: Counts; counted: SchemaPlan["counted"] }> {
  const counts: Counts = new Map(
    [...diffs.values()].flatMap(({ changes }) => changes).map((each) => [each, new Map()]),
  );
  const began = performance.now();
  const passed = () => Math.round(performance.now() - began);
  let objects = 0;
  let isComplete = true;
  for (const target of counts.size === 0 ? [] : targets) {
    for await (const row of rowsOf(ctx, target.id)) {
      if (objects >= maxObjects || passed() > maxMs) {
        isComplete = false;
        break;
      }
      objects += 1;
      for (const change of changesOf(ctx, target.schema, { row, diffs })) {
        const byCollection = counts.get(change) as Map<string, number>;
        byCollection.set(target.id, (byCollection.get(target.id) ?? 0) + 1);
      }
    }
  }
  return { counts, counted: { objects, isComplete, ms: passed() } };
}

async function* rowsOf(ctx: Context, collection: string): AsyncIterable<StoredObject> {
  const pause = createPause();
  for (let after = ""; ; ) {
    const rows = await askSlice(ctx.storage, { collection, after, limit: sliceSize }, ctx.caller);
    for (const row of rows) {
      yield row;
      await pause();
    }
    if (rows.length < sliceSize) return;
    after = rows.at(-1)?.id as string;
  }
}

/** None where the stored text is damaged. */
function changesOf(
  ctx: Context,
  schema: FlatSchema,
  { row, diffs }: { row: StoredObject; diffs: ReadonlyMap<string, SchemaDiff> },
): Iterable<PropertyChange> {
  try {
    const how = { created: row.created, modified: row.modified, htmlclean: htmlclean(ctx) };
    const stored = { document: storedDocument(ctx, schema, row), secrets: JSON.parse(row.secrets), how };
    return changesIn(schema, stored, diffs);
  } catch {
    return [];
  }
}

/** Changes of the same property in several schemas of the family are one. */
function present(counts: Counts): Pick<SchemaPlan, "removed" | "renamed" | "retyped" | "newlyRequired"> {
  const of = (kind: ChangeKind) => {
    const merged = new Map<string, { from: Named; to: Named; total: number; collections: Record<string, number> }>();
    for (const [{ kind: each, before, after }, byCollection] of counts) {
      if (each !== kind) continue;
      const key = `${before?.name} ${after?.name}`;
      const entry = merged.get(key) ?? { from: named(before), to: named(after), total: 0, collections: {} };
      for (const [collection, objects] of byCollection) {
        entry.total += objects;
        entry.collections[collection] = (entry.collections[collection] ?? 0) + objects;
      }
      merged.set(key, entry);
    }
    return [...merged.values()];
  };
  return {
    removed: of("removed").map(({ from, total, collections }) => ({ property: from.name, filled: total, collections })),
    renamed: of("renamed").map(({ from, to, total, collections }) => ({
      ...{ from: from.name, to: to.name },
      ...{ filled: total, collections },
    })),
    retyped: of("retyped").map(({ from, to, total, collections }) => ({
      ...{ property: to.name, from: from.type, to: to.type },
      ...{ unfit: total, collections },
    })),
    newlyRequired: of("newlyRequired").map(({ to, total, collections }) => ({
      property: to.name,
      lacking: total,
      collections,
    })),
  };
}

interface Named {
  name: string;
  type: string;
}

function named(property: PropertyChange["before"]): Named {
  return { name: property?.name ?? "", type: property?.kind.type ?? "" };
}
