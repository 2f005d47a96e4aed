// Sync for the admin: what the remote says, and push, pull and comparison as one request each. One push or pull at a time.
// The key of the remote stays here; failures of the remote are refusals in plain words.

import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { CairnError, fail } from "#base/errors.ts";
import { refuse } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type {
  ItemRef,
  SyncComparison,
  SyncDifference,
  SyncDirection,
  SyncDone,
  SyncRemote,
} from "#contract/transfer.ts";
import { renewLease, takeOne } from "#jobs/leases.ts";
import type { Definition } from "./definition.ts";
import { exportSync } from "./export.ts";
import { comparePull, comparePush, type Order, pull, push, readRemote, type Transfer } from "./push-pull.ts";
import { openRemote, type Remote, RemoteError } from "./remote.ts";
import { featureCollections, features, seedingRefusal } from "./rules.ts";
import { type Category, categories, fullMirror, readSeeds, type Seeds, type Selection } from "./selection.ts";

const leaseId = "sync-with-remote";
/** The remote's text is as long as it likes. */
const maxText = 2_000;
const kinds = ["schema", "template", "collection", "object"] as const;

export async function lookAtRemote(ctx: Context): Promise<SyncRemote> {
  allow(ctx, "read", { kind: "remote" });
  const nothing = { configured: false, url: "", reachable: false, version: "" };
  if (!isConfigured(ctx)) return nothing;
  let remote: Remote;
  try {
    remote = openRemote(ctx.settings);
  } catch (error) {
    return { ...nothing, problem: messageOf(error) };
  }
  const known = { configured: true, url: remote.url };
  try {
    return { ...known, reachable: true, version: (await remote.probe()).version };
  } catch (error) {
    return { ...known, reachable: false, version: "", problem: messageOf(error) };
  }
}

function isConfigured({ settings }: Context): boolean {
  return settings.get("sync.url").trim() !== "" && settings.get("sync.key").trim() !== "";
}

export async function compareWithRemote(ctx: Context, body: Json): Promise<SyncComparison> {
  allow(ctx, "read", { kind: "remote" });
  const { direction } = isJsonObject(body) ? body : {};
  if (direction !== "push" && direction !== "pull") return refuse("direction", "direction must be push or pull.");
  const { order } = readOrder(body, direction);
  const remote = openOr(ctx);
  const found = await orRefuse(() => (direction === "push" ? comparePush : comparePull)(ctx, remote, order));
  return presentTransfer(remote, found);
}

export async function moveToOrFrom(ctx: Context, direction: SyncDirection, body: Json): Promise<SyncDone> {
  allow(ctx, "update", { kind: "remote" });
  const { order, keepNewer } = readOrder(body, direction);
  const remote = openOr(ctx);
  const done = await alone(ctx, () =>
    orRefuse(async () => {
      if (keepNewer) await refuseOlder(ctx, remote, { direction, order });
      return direction === "push" ? push(ctx, remote, order) : pull(ctx, remote, order);
    }),
  );
  const { created, updated } = done.report;
  const type = direction === "push" ? "sync.pushed" : "sync.pulled";
  audit(ctx, { type, details: { remote: remote.url, created: created.length, updated: updated.length } });
  const { report: result, failure, ...moved } = done;
  return {
    ...presentTransfer(remote, moved),
    sent: done.items.length > 0,
    result,
    ...(failure !== undefined && { failure: shortened(failure) }),
  };
}

export async function differenceToRemote(ctx: Context, body: Json): Promise<SyncDifference> {
  allow(ctx, "read", { kind: "remote" });
  const item = readItem(body);
  const selection: Selection = { [categoryOf(item)]: [item.id] };
  const remote = openOr(ctx);
  const here = contentIn(await exportSync(ctx, selection), item);
  const there = await orRefuse(() => readRemote(ctx, remote, { selection, seeds: new Map() }));
  const content = contentIn(there.definition, item);
  if (!here && !content) fail("not-found", "Neither side has it.");
  return { local: here ?? null, remote: content ?? null };
}

/** As the flags of the commands. */
function readOrder(body: Json, direction: SyncDirection): { order: Order; keepNewer: boolean } {
  if (!isJsonObject(body)) return fail("invalid", "The body must be a JSON object.");
  const { selection, objects = [], overwrite = false, keepNewer = false } = body;
  if (typeof overwrite !== "boolean") return refuse("overwrite", "overwrite must be true or false.");
  if (typeof keepNewer !== "boolean") return refuse("keepNewer", "keepNewer must be true or false.");
  if (!Array.isArray(objects)) return refuse("objects", "objects must be a list of collection or collection:id,id.");
  const seeds = checkSeeds(objects, direction);
  if (selection === undefined && seeds.size === 0)
    return { order: { selection: fullMirror, seeds, overwrite }, keepNewer };
  const wanted = selection === undefined ? {} : readWanted(selection);
  if (Object.keys(wanted).length === 0 && seeds.size === 0)
    return refuse("selection", "selection names nothing: leave it out to mean everything.");
  return { order: { selection: wanted, seeds, overwrite }, keepNewer };
}

function readWanted(sent: Json): Selection {
  if (!isJsonObject(sent))
    return refuse("selection", "selection must be an object: a list of ids, or true, by category.");
  const selection: Selection = {};
  for (const [name, wanted] of Object.entries(sent)) {
    const category = categories.find((known) => known === name);
    if (!category) return refuse("selection", `selection has no ${name}: its names are ${categories.join(", ")}.`);
    const isList = Array.isArray(wanted) && wanted.length > 0 && wanted.every((id) => typeof id === "string");
    if (wanted !== true && !isList) return refuse("selection", `${name} must be true, or a list of at least one id.`);
    selection[category] = wanted === true ? "all" : (wanted as string[]);
  }
  return selection;
}

function checkSeeds(objects: readonly Json[], direction: SyncDirection): Seeds {
  const seeds = readSeeds(objects);
  if (seeds.size > 0 && direction === "pull") refuse("objects", "Objects are seeded by a push, not by a pull.");
  for (const collection of seeds.keys()) {
    const refusal = seedingRefusal(collection);
    if (refusal) refuse("objects", `${refusal}.`);
  }
  return seeds;
}

function readItem(body: Json): ItemRef {
  const { kind, id, collection } = isJsonObject(body) ? body : {};
  const known = kinds.find((name) => name === kind);
  if (!known) return refuse("kind", `kind must be one of ${kinds.join(", ")}.`);
  if (typeof id !== "string" || id === "") return refuse("id", "id is required.");
  if (known !== "object") return { kind: known, id };
  if (typeof collection !== "string") return refuse("collection", "collection is required for an object.");
  return { kind: known, id, collection };
}

function categoryOf({ kind, collection }: ItemRef): Category {
  if (kind === "redirect") return refuse("kind", "Sync does not carry redirects.");
  if (kind !== "object") return `${kind}s`;
  const feature = features.find((name) => featureCollections[name] === collection);
  return (
    feature ?? refuse("collection", "The remote shows the content of objects that sync carries, and of no others.")
  );
}

function contentIn(definition: Definition, { kind, id, collection }: ItemRef): JsonObject | undefined {
  if (kind === "schema") return definition.schemas.find((schema) => schema.id === id);
  if (kind === "template") return definition.templates.find((template) => template.id === id) as JsonObject | undefined;
  if (kind === "object")
    return definition.objects.find((object) => object.id === id && object.collection === collection)?.data;
  const { reserved, custom } = definition.collections;
  const found = [...reserved, ...custom].find(
    (settings) => (typeof settings === "string" ? settings : settings.id) === id,
  );
  return typeof found === "string" ? { id: found } : found;
}

/** What changed since the comparison that somebody has looked at. */
async function refuseOlder(
  ctx: Context,
  remote: Remote,
  { direction, order }: { direction: SyncDirection; order: Order },
): Promise<void> {
  const receiver = direction === "push" ? "remote" : "local";
  const { items } = await (direction === "push" ? comparePush : comparePull)(ctx, remote, order);
  const newer = items.filter((item) => item.status === "differs" && item.newer === receiver);
  if (newer.length === 0) return;
  const names = newer
    .slice(0, 20)
    .map(({ kind, collection, id }) => `${kind} ${collection ? `${collection}/` : ""}${id}`);
  fail("precondition-failed", "The other copy of some items is newer. Compare again, or overwrite newer items.", {
    selection: names,
  });
}

function openOr({ settings }: Context): Remote {
  try {
    return openRemote(settings);
  } catch (error) {
    return fail("invalid", messageOf(error));
  }
}

async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RemoteError ? new CairnError("refused", messageOf(error)) : error;
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof RemoteError)) throw error;
  return shortened(error.message);
}

function shortened(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}

async function alone<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  if ((await takeOne(ctx, [leaseId])) === undefined)
    fail("in-use", "A push or a pull is under way already. Wait until it has ended.");
  const { release } = renewLease(ctx, leaseId);
  try {
    return await work();
  } finally {
    // A lease that cannot be released now expires.
    await release().catch((error) => ctx.log.warn({ err: error }, "a lease was not released"));
  }
}

function presentTransfer(
  remote: Remote,
  { direction, compared, items, missing, unreachable }: Transfer,
): SyncComparison {
  return {
    direction,
    remote: remote.url,
    compared,
    items,
    sent: false,
    missing,
    ...(unreachable !== undefined && { unreachable: shortened(unreachable) }),
  };
}
