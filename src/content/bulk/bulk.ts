// Bulk changes: patch or delete many objects, named by ids or chosen as a list chooses them. The caller says how many
// objects it expects; when there are more or fewer, nothing changes. Few objects are changed at once, many by a job.

import { allowTarget } from "#access/allow.ts";
import { CairnError, type ErrorDetails, fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import { inParallel } from "#base/in-parallel.ts";
import type { Collection } from "#content/collections/collection.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { historyMode } from "#content/history/mode.ts";
import { newRun } from "#content/history/writer.ts";
import { hashPasswords } from "#content/objects/password-hashes.ts";
import { readListSelection } from "#content/query/filters.ts";
import { countAll, sourceOf } from "#content/query/lists.ts";
import { idOperand } from "#content/query/operands.ts";
import { checkSent, confirmOrder, takeAsides } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import { type BulkFailure, type BulkRequest, type BulkResult, bulkAtOnce } from "#contract/admin.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { buildDocument } from "#schemas/build.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { selectIds } from "#storage/query/select.ts";
import type { Selection } from "#storage/query/selection.ts";
import { enqueueBulk } from "./bulk-job.ts";
import { type BulkWork, bulkWidth, changeOne, failureOf, neededFor } from "./bulk-work.ts";

const maxIds = 10_000;
/** Ids are kept in memory until they are stored. */
const maxSelected = 1_000_000;
const maxIdText = 500;
/** Ids that one query answers. */
const pageSize = 2_000;
const fixedProperties = ["id", "created", "modified"];

export type BulkAnswer = BulkResult | { job: string };

export async function changeMany(ctx: Context, collectionId: string, sent: Json): Promise<BulkAnswer> {
  // Also where the public may change single objects.
  if (ctx.actor.kind === "anonymous") fail("unauthenticated");
  const { operation, ...request } = readRequest(sent);
  allowTarget(ctx, collectionId, operation === "patch" ? "PATCH" : "DELETE");
  const collection = await openCollection(ctx, neededFor[operation], collectionId);
  const work = { collection: collectionId, operation, body: request.body };
  await confirmOrder(ctx, collectionId, operation === "delete" ? "deletion" : { names: Object.keys(work.body) });
  if (operation === "patch") await checkPatch(ctx, collection, work.body);
  const ids = await findIds(ctx, collectionId, request);
  if (ids.length > bulkAtOnce) return { job: await enqueueBulk(ctx, work, ids) };
  if (historyMode(ctx, collection) !== "full") return changeNow(ctx, work, ids);
  const run = newRun();
  return { ...(await changeNow({ ...ctx, trail: { ...ctx.trail, run } }, work, ids)), run };
}

async function changeNow(ctx: Context, work: BulkWork, ids: readonly string[]): Promise<BulkResult> {
  const failures = new Map<string, BulkFailure>();
  await inParallel(ids, bulkWidth, async (id) => {
    await yieldToEventLoop();
    await changeOne(ctx, work, id).catch((error: unknown) => failures.set(id, failureOf(ctx, id, error)));
  });
  return { done: ids.length - failures.size, failed: ids.flatMap((id) => failures.get(id) ?? []) };
}

type Chosen = Required<Pick<BulkRequest, "expect" | "body">> & {
  ids: string[] | undefined;
  select: { search: string; filter: JsonObject };
};

function readRequest(sent: Json): Chosen & Pick<BulkRequest, "operation"> {
  if (!isJsonObject(sent)) fail("invalid", "The body must be a JSON object.");
  const { operation, expect, body } = sent;
  if (operation !== "patch" && operation !== "delete") refuse("operation", "must be patch or delete");
  if (typeof expect !== "number" || !Number.isSafeInteger(expect) || expect < 0)
    refuse("expect", "is required: the number of objects that the change shall reach");
  if (operation === "delete" && body !== undefined && body !== null) refuse("body", "is for patch alone");
  if (operation === "patch" && !isJsonObject(body)) refuse("body", "must be an object with the properties to set");
  if ((sent.ids === undefined) === (sent.select === undefined)) refuse("ids", "give either ids or select");
  const ids = sent.ids === undefined ? undefined : readIds(sent.ids);
  return { operation, expect, body: isJsonObject(body) ? body : {}, ids, select: readSelect(sent.select ?? {}) };
}

function readIds(sent: Json): string[] {
  const isId = (id: Json) =>
    typeof id === "string" && id !== "" && id.length <= maxIdText && id.isWellFormed() && !id.includes("\0");
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > maxIds || !sent.every(isId))
    refuse("ids", `must be a list of 1 to ${maxIds} ids`);
  return [...new Set(sent as string[])];
}

function readSelect(sent: Json): Chosen["select"] {
  if (!isJsonObject(sent)) refuse("select", "must be an object with search and filter");
  const { search = "", filter = {} } = sent;
  if (typeof search !== "string") refuse("select", "search must be text");
  if (!isJsonObject(filter)) refuse("select", "filter must be an object");
  return { search, filter };
}

/** The body as such: what would be wrong for every object is refused before any is changed. */
async function checkPatch(ctx: Context, { id, schema }: Collection, sent: JsonObject): Promise<void> {
  const { body } = takeAsides(ctx, id, sent);
  const names = Object.keys(body);
  if (names.length === 0) refuse("body", "names no property");
  const details: ErrorDetails = {};
  for (const name of names) {
    if (fixedProperties.includes(name)) details[name] = ["cannot be set by a bulk change"];
    else if (!schema.properties.has(name)) details[name] = ["There is no such property in this collection."];
  }
  if (Object.keys(details).length > 0) fail("validation-failed", undefined, details);
  await checkSent(ctx, id, body);
  const now = ctx.clock.iso();
  const hashes = await hashPasswords(schema, body);
  try {
    const made = { now, created: now, modified: now, counter: 0, hashes, htmlclean: htmlclean(ctx) };
    buildDocument(schema, { ...body, id: "bulk" }, { ...made, secrets: {}, files: {}, changed: new Set(names) });
  } catch (error) {
    if (!(error instanceof CairnError) || !error.details) throw error;
    const own = Object.entries(error.details).filter(([path]) => isJudged(path.split(".")[0] as string));
    if (own.length > 0) fail("validation-failed", undefined, Object.fromEntries(own));
  }

  /** The files of an object decide about the others. */
  function isJudged(name: string): boolean {
    return names.includes(name) && schema.properties.get(name)?.kind.isUploaded !== true;
  }
}

/** As many as expected. A sent id without an object counts: its own change fails. */
async function findIds(ctx: Context, collectionId: string, { ids, select, expect }: Chosen): Promise<string[]> {
  if (ids) return checkNumber(ids, ids.length, expect);
  const collection = await openCollection(ctx, "read", collectionId);
  const params = { search: select.search, filter: select.filter };
  const selection: Selection = {
    ...readListSelection(params, sourceOf(ctx, collection)),
    sort: [{ operand: idOperand, descending: false }],
  };
  const total = await countAll(ctx, selection);
  checkNumber([], total, expect);
  if (total > maxSelected)
    refuse("select", `A bulk change takes at most ${maxSelected} objects. Narrow the selection.`);
  const found: string[] = [];
  for (let last: string | undefined; found.length <= expect; ) {
    const after = last === undefined ? {} : { after: { values: [last], id: last } };
    const page = await selectIds(ctx.storage, selection, { limit: pageSize, offset: 0, ...after }, ctx.caller);
    for (const id of page) found.push(id);
    last = page.at(-1);
    if (page.length < pageSize) break;
  }
  // Changed while it was read.
  return checkNumber(found, found.length > expect ? await countAll(ctx, selection) : found.length, expect);
}

function checkNumber(ids: string[], real: number, expect: number): string[] {
  if (real === expect) return ids;
  const message = `The change would reach ${real} objects, not ${expect}. Nothing was changed.`;
  fail("precondition-failed", message, { expect: [String(real)] });
}

function refuse(name: string, message: string): never {
  fail("invalid", undefined, { [name]: [message] });
}
