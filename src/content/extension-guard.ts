// What extensions have to say about a write, before its transaction: their checks see the change as it would be stored, refuse
// it or change it. Nothing of an extension runs inside a transaction. The write itself compares what was checked with what is
// stored then, and starts again where that has moved.

import { CairnError, type ErrorDetails, fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Collection } from "./collections/collection.ts";
import type { Offered } from "./extension-port.ts";
import { hasNormalised, normaliseValues } from "./normalise-values.ts";
import type { Change } from "./objects/change.ts";

/** How long a check may take. */
const checkMs = 2_000;
/** How often a change that was overtaken is checked again. */
const maxTries = 5;
/** In no answer to an extension. */
const closed: readonly string[] = ["auth", "automations"];
const fixed: readonly string[] = ["id", "created", "modified"];

type Checked = Exclude<Operation, "read">;

export interface CheckedChange {
  /** Null: it will be made. */
  id: string | null;
  before: JsonObject | null;
  after: JsonObject | null;
}

export interface Guard {
  /** The properties that are to be changed beside what was sent. Throws where an extension refuses. */
  check(change: CheckedChange): Promise<JsonObject>;
}

/** Undefined: no extension has anything to say. At once as a rule. */
export function findGuard(
  ctx: Context,
  collection: Collection,
  operation: Checked,
): Guard | undefined | Promise<Guard | undefined> {
  const checks = ctx.extensions.of("checks");
  if (checks instanceof Promise) return checks.then((found) => guardBy(ctx, collection, operation, found));
  return guardBy(ctx, collection, operation, checks);
}

function guardBy(
  ctx: Context,
  collection: Collection,
  operation: Checked,
  offered: readonly Offered<"checks">[],
): Guard | undefined {
  const isNormalised = operation !== "delete" && hasNormalised(collection.schema);
  if ((offered.length === 0 && !isNormalised) || closed.includes(collection.id)) return undefined;
  const checks = offered.filter(
    ({ entry }) =>
      entry.operations.includes(operation) &&
      (entry.collections.includes(collection.id) || entry.collections.includes("*")),
  );
  if (checks.length === 0 && !isNormalised) return undefined;
  if (!isNormalised) return { check: (change) => runChecks(ctx, checks, { collection, operation, change }) };
  return { check: (change) => runAll(ctx, checks, { collection, operation, change }) };
}

/** Checks see what field kinds made of the values. */
async function runAll(ctx: Context, checks: readonly Offered<"checks">[], order: Order): Promise<JsonObject> {
  const { collection, change } = order;
  const { after, before, id } = change;
  if (after === null) return runChecks(ctx, checks, order);
  const place = { collection: collection.id, id, before, after };
  const normalised = await normaliseValues(ctx, collection.schema, place);
  if (checks.length === 0) return normalised;
  const added = await runChecks(ctx, checks, { ...order, change: { ...change, after: { ...after, ...normalised } } });
  return { ...normalised, ...added };
}

interface Order {
  collection: Collection;
  operation: Checked;
  change: CheckedChange;
}

async function runChecks(ctx: Context, checks: readonly Offered<"checks">[], order: Order): Promise<JsonObject> {
  const verdicts = await Promise.all(checks.map((check) => runCheck(ctx, check, order)));
  const details: ErrorDetails = {};
  for (const verdict of verdicts) {
    if (verdict.ok) continue;
    for (const [name, messages] of Object.entries(verdict.details))
      details[name] = [...(details[name] ?? []), ...messages];
  }
  if (Object.keys(details).length > 0) fail("validation-failed", undefined, details);
  if (order.operation === "delete") return {};
  const changes = Object.assign({}, ...verdicts.map((verdict) => (verdict.ok ? verdict.changes : {})));
  return changeable(order.collection.schema, changes);
}

type Verdict = { ok: true; changes: JsonObject } | { ok: false; details: ErrorDetails };

async function runCheck(
  ctx: Context,
  { extension, entry }: Offered<"checks">,
  { collection, operation, change }: Order,
): Promise<Verdict> {
  try {
    const args = [{ collection: collection.id, operation, ...change }];
    const said = await ctx.extensions.call({
      extension,
      kind: "checks",
      name: entry.name,
      args,
      ctx,
      timeoutMs: checkMs,
    });
    return readVerdict(said as Json) ?? fail("extension-failed");
  } catch (error) {
    if (error instanceof CairnError && error.status < 500) {
      if (error.word === "validation-failed" && error.details) return { ok: false, details: error.details };
      throw error;
    }
    if (entry.onFailure !== "closed") return { ok: true, changes: {} };
    throw guardFailed(extension, "could not check the change");
  }
}

/** Closed: nothing is stored that it did not see. */
export function guardFailed(extension: string, what: string): CairnError {
  const error = new CairnError("unavailable", `The extension ${extension} ${what}. Nothing was changed.`);
  error.retryAfter = 5;
  return error;
}

/** Undefined: it is none. */
function readVerdict(said: Json): Verdict | undefined {
  if (!isJsonObject(said)) return undefined;
  const { ok, changes, details } = said;
  if (ok === true) return { ok, changes: isJsonObject(changes ?? null) ? (changes as JsonObject) : {} };
  if (ok !== false || !isJsonObject(details)) return undefined;
  const messages = Object.entries(details).map(([name, texts]) => [
    name,
    (Array.isArray(texts) ? texts : [texts]).map((text) => String(text).slice(0, 500)),
  ]);
  return messages.length > 0 ? { ok, details: Object.fromEntries(messages) } : undefined;
}

/** Files and passwords come from callers alone, and the service keeps id and times. */
function changeable({ properties }: FlatSchema, changes: JsonObject): JsonObject {
  const isFree = (name: string) => {
    const property = properties.get(name);
    return !fixed.includes(name) && property?.isPassword !== true && property?.kind.isUploaded !== true;
  };
  return Object.fromEntries(Object.entries(changes).filter(([name]) => isFree(name)));
}

/** The change with what extensions add to it. */
export function withChanges(change: Change, added: JsonObject): Change {
  const { input, changed } = change;
  return {
    ...change,
    input: { ...input, ...added },
    ...(changed && { changed: new Set([...changed, ...Object.keys(added)]) }),
  };
}

/** Thrown in the transaction: what was checked is not what is stored. */
class Overtaken extends Error {}

/** `rev`: what was checked; undefined: nothing was. */
export function compareChecked(row: { rev: number }, rev: number | undefined): void {
  if (rev !== undefined && row.rev !== rev) throw new Overtaken();
}

/** Checks and writes again where the object was changed in between. */
export async function untilCurrent<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (tries === maxTries)
        fail("precondition-failed", "The object was changed while the change was checked. Try again.");
    }
  }
}
