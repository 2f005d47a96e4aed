// Push and pull: what is transferred, the report of a dry run, and the requests in their order.
// A dry run only reads, on both sides.

import type { Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { Comparison, ImportReport, ItemRef } from "#contract/transfer.ts";
import { applyDefinition } from "./apply-definition.ts";
import { compare, type Fingerprint, fingerprints, keyOf } from "./compare.ts";
import { type Definition, emptyDefinition, isEmptyDefinition, type ObjectItem, readDefinition } from "./definition.ts";
import { exportSeeds, exportSync } from "./export.ts";
import { type Remote, RemoteError } from "./remote.ts";
import { featureCollections, features } from "./rules.ts";
import { type Category, isWanted, type Seeds, type Selection, selectionParams, type Wanted } from "./selection.ts";
import { storedPrints } from "./stored-form.ts";

export interface Order {
  selection: Selection;
  seeds: Seeds;
  /** Seeded objects replace those that exist. */
  overwrite: boolean;
}

export interface Transfer {
  direction: "push" | "pull";
  /** Both sides were read. */
  compared: boolean;
  items: Comparison[];
  /** Ids that were named and do not exist. */
  missing: ItemRef[];
  /** Why the remote could not be compared. */
  unreachable?: string;
}

export interface Done extends Transfer {
  report: ImportReport;
  /** The first of two requests succeeded, the second failed. */
  failure?: string;
}

/** Looks at the comparison before anything is changed; throws when nothing is to be. */
export type Agree = (found: Transfer) => Promise<void>;

interface Payload {
  definition: Definition;
  seeds: ObjectItem[];
  missing: ItemRef[];
}

export async function comparePush(ctx: Context, remote: Remote, order: Order): Promise<Transfer> {
  const payload = await collect(ctx, order);
  const sent = [...storedPrints(ctx, payload.definition), ...seedPrints(payload.seeds)];
  const there = await readRemote(ctx, remote, order).catch((error: unknown) => unreachable(error));
  const items = compare("push", sent, "prints" in there ? there.prints : undefined);
  const knowsSeeds = "prints" in there && there.knowsSeeds;
  return {
    direction: "push",
    compared: "prints" in there,
    items: items.map((item) => aboutSeed(item, order, knowsSeeds)),
    missing: payload.missing,
    ...("unreachable" in there && there),
  };
}

/** Seeding treats existing objects differently from sync. Not every remote reports what it has. */
function aboutSeed(item: Comparison, { seeds, overwrite }: Order, isKnown: boolean): Comparison {
  const isSeed = item.collection !== undefined && seeds.has(item.collection);
  if (isSeed && !isKnown) {
    const { status: _, ...rest } = item;
    return rest;
  }
  if (!isSeed || item.status !== "differs" || overwrite) return item;
  return { ...item, warning: "exists there and is left untouched" };
}

export async function comparePull(ctx: Context, remote: Remote, { selection }: Order): Promise<Transfer> {
  const { definition } = await readRemote(ctx, remote, { selection, seeds: new Map() });
  return compareHere(ctx, selection, definition);
}

async function compareHere(ctx: Context, selection: Selection, definition: Definition): Promise<Transfer> {
  const here = storedPrints(ctx, await exportSync(ctx, selection));
  return {
    direction: "pull",
    compared: true,
    items: compare("pull", storedPrints(ctx, definition), here),
    missing: missingFrom(selection, definition),
  };
}

/** The definition goes first; seeded objects follow only when that succeeded. */
export async function push(ctx: Context, remote: Remote, order: Order, agree?: Agree): Promise<Done> {
  // What exists is left alone: only the comparison tells how it differs.
  const found = agree || order.seeds.size > 0 ? await comparePush(ctx, remote, order) : undefined;
  if (found?.unreachable !== undefined) throw new RemoteError(found.unreachable, true);
  if (agree && found) await agree(found);
  const { definition, seeds, missing } = await collect(ctx, order);
  const report: ImportReport = { created: [], updated: [], unchanged: [], skipped: [], errors: [] };
  const done: Done = { direction: "push", compared: true, items: [], missing, report };
  if (!isEmptyDefinition(definition)) addReport(report, await remote.post("/sync/import", definition));
  if (seeds.length > 0) {
    const path = `/import/jumpstart${order.overwrite ? "?overwrite=1" : ""}`;
    try {
      addReport(report, await remote.post(path, { ...emptyDefinition("Seed"), objects: seeds }));
    } catch (error) {
      if (!(error instanceof RemoteError) || isEmptyDefinition(definition)) throw error;
      done.failure = `Everything but the seeded objects was pushed. ${error.message}`;
    }
  }
  done.items = itemsOf(report, found?.items);
  return done;
}

export async function pull(ctx: Context, remote: Remote, { selection }: Order, agree?: Agree): Promise<Done> {
  const { definition } = await readRemote(ctx, remote, { selection, seeds: new Map() });
  if (agree) await agree(await compareHere(ctx, selection, definition));
  const report = await applyDefinition(ctx, definition, "upsert");
  return {
    direction: "pull",
    compared: true,
    items: itemsOf(report),
    missing: missingFrom(selection, definition),
    report,
  };
}

async function collect(ctx: Context, { selection, seeds }: Order): Promise<Payload> {
  const definition = await exportSync(ctx, selection);
  const objects = await exportSeeds(ctx, seeds);
  const missing = missingFrom(selection, definition);
  for (const [collection, wanted] of seeds) {
    const found = new Set(objects.filter((item) => item.collection === collection).map(({ id }) => id));
    missing.push(...absent(wanted, found).map((id): ItemRef => ({ kind: "object", collection, id })));
  }
  return { definition, seeds: objects, missing };
}

/** Drops everything that was not asked for. */
export async function readRemote(
  ctx: Context,
  remote: Remote,
  { selection, seeds }: Pick<Order, "selection" | "seeds">,
): Promise<{ definition: Definition; prints: Fingerprint[]; knowsSeeds: boolean }> {
  const data = await remote.get("/sync/export", selectionParams(selection, seeds));
  const { existing, ...sent } = data;
  const definition = narrow(readDefinition(sent), selection);
  const seeded = (Array.isArray(existing) ? existing : []).filter(isJsonObject).map(readPrint);
  const asked = seeded.filter(({ collection = "", id }) => isWanted(seeds.get(collection), id));
  return { definition, prints: [...storedPrints(ctx, definition), ...asked], knowsSeeds: Array.isArray(existing) };
}

function narrow(definition: Definition, selection: Selection): Definition {
  const { schemas, collections, templates, objects } = definition;
  const inCategory = (category: Category, id: string) => isWanted(selection[category], id);
  const idOf = (item: string | { id: string }) => (typeof item === "string" ? item : item.id);
  const featureOf = (id: string) => features.find((feature) => featureCollections[feature] === id);
  return {
    ...definition,
    schemas: schemas.filter(({ id }) => inCategory("schemas", id)),
    collections: {
      reserved: collections.reserved.filter((item) => inCategory("collections", idOf(item))),
      custom: collections.custom.filter(({ id }) => inCategory("collections", id)),
    },
    templates: templates.filter(({ id }) => inCategory("templates", id)),
    objects: objects.filter(({ collection, id }) => {
      const feature = featureOf(collection);
      return feature !== undefined && inCategory(feature, id);
    }),
    factory: [],
  };
}

function readPrint({ collection, id, hash, updated }: JsonObject): Fingerprint {
  return {
    kind: "object",
    collection: String(collection),
    id: String(id),
    hash: String(hash),
    updated: typeof updated === "string" ? updated : undefined,
  };
}

function seedPrints(objects: ObjectItem[]): Fingerprint[] {
  return fingerprints({ ...emptyDefinition(""), objects });
}

function unreachable(error: unknown): { unreachable: string } {
  if (error instanceof RemoteError && error.isUnreachable) return { unreachable: error.message };
  throw error;
}

/** The ids that were named and are not in the definition. */
function missingFrom(selection: Selection, definition: Definition): ItemRef[] {
  const prints = fingerprints(definition);
  const missing: ItemRef[] = [];
  for (const [category, wanted] of Object.entries(selection)) {
    const place = placeOf(category as Category);
    const found = prints.filter(({ kind, collection }) => kind === place.kind && collection === place.collection);
    missing.push(...absent(wanted, new Set(found.map(({ id }) => id))).map((id) => ({ ...place, id })));
  }
  return missing;
}

function absent(wanted: Wanted, found: ReadonlySet<string>): string[] {
  return wanted === "all" ? [] : wanted.filter((id) => !found.has(id));
}

function placeOf(category: Category): Omit<ItemRef, "id"> {
  if (category === "schemas" || category === "templates" || category === "collections") {
    return { kind: category.slice(0, -1) as "schema" | "template" | "collection" };
  }
  return { kind: "object", collection: featureCollections[category] };
}

/** Adds the report of the other side. */
function addReport(report: ImportReport, data: JsonObject): void {
  for (const key of ["created", "updated", "unchanged", "skipped", "errors"] as const) {
    const items = data[key];
    for (const item of Array.isArray(items) ? items.filter(isJsonObject) : []) {
      const { collection } = item;
      report[key].push({
        kind: String(item.kind) as ItemRef["kind"],
        ...(typeof collection === "string" && { collection }),
        id: String(item.id),
      });
    }
  }
}

/** `compared`: before it. */
function itemsOf(
  { created, updated, unchanged, skipped }: ImportReport,
  compared: readonly Comparison[] = [],
): Comparison[] {
  const statuses = new Map(compared.map((item) => [keyOf(item), item.status]));
  const left = (item: ItemRef) => statuses.get(keyOf(item));
  return [
    ...created.map((item): Comparison => ({ ...item, status: "new" })),
    ...updated.map((item): Comparison => ({ ...item, status: "differs" })),
    ...unchanged.map((item): Comparison => ({ ...item, status: "identical" })),
    ...skipped.map((item): Comparison => {
      const status = left(item);
      return { ...item, ...(status && { status }), warning: "left untouched" };
    }),
  ];
}
