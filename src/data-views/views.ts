// Data views for callers: their state, their data, queries on it, a rebuild, a test.
// Reading needs the right to read the view's own object; over MCP its own card decides (exposed.ts).

import { isAllowed } from "#access/allow.ts";
import { requirePro } from "#access/edition.ts";
import { characterBytes, openStore } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { Params } from "#content/query/parameters.ts";
import type { App, Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { TestAnswer, ViewSummary } from "#contract/data-views.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";
import { hasObject } from "#storage/tables/objects.ts";
import { findViewData, findViewState, listViewStates, type ViewState } from "#storage/tables/view-results.ts";
import { knownViews, type View, viewsCollection } from "./load-views.ts";
import { queryRows, type RowPage } from "./rows.ts";

export interface ViewData {
  /** JSON text. */
  text: string;
  /** Quoted, strong. */
  etag: string;
}

async function openViews(ctx: Context, operation: Operation, id?: string): Promise<void> {
  await openCollection(ctx, operation, viewsCollection, id);
  requirePro(ctx, "Data views");
}

export async function listViews(ctx: Context): Promise<ViewSummary[]> {
  await openViews(ctx, "read");
  const states = new Map((await listViewStates(ctx.storage)).map((state) => [state.id, state]));
  return [...(await knownViews.load(ctx)).values()].map((view) => summarize(ctx, view, states.get(view.id)));
}

export async function getView(ctx: Context, id: string): Promise<ViewSummary> {
  await openViews(ctx, "read", id);
  const view = (await knownViews.load(ctx)).get(id) ?? noView(id);
  return summarize(ctx, view, await findViewState(ctx.storage, id));
}

/** An error may contain anything that the view reads: it is shown only to callers that may change the view by a right of their own. */
function summarize(
  { actor }: Context,
  { id, name, description, dependencies }: View,
  state: ViewState | undefined,
): ViewSummary {
  const isSubscribed = isAllowed(actor, "update", {
    kind: "objects",
    collection: viewsCollection,
    publicOperations: [],
  });
  return {
    id,
    name,
    description,
    dependencies,
    lastBuilt: state?.built ?? null,
    lastError: isSubscribed ? (state?.error ?? null) : null,
    durationMs: state?.durationMs ?? null,
  };
}

/** The last good result; a view that was never built is built now. */
export async function getViewData(ctx: Context, id: string): Promise<ViewData> {
  await openViews(ctx, "read", id);
  return readData(ctx, id);
}

export async function readData(app: App, id: string): Promise<ViewData> {
  const found = (await findViewData(app.storage, id)) ?? (await buildFirst(app, id));
  return { text: found.data, etag: `"${found.hash}"` };
}

export interface ViewPage extends RowPage {
  etag: string;
}

export async function queryView(ctx: Context, id: string, params: Params): Promise<ViewPage> {
  await openViews(ctx, "read", id);
  return readRows(ctx, id, { params });
}

export async function readRows(
  app: App,
  id: string,
  { params, limits }: { params: Params; limits?: { default: number; max: number } },
): Promise<ViewPage> {
  const { data, etag } = await readParsed(app, id);
  if (!Array.isArray(data) || !data.every((row) => isJsonObject(row)))
    fail("invalid", "This view is not a list of objects: get its data as a whole.");
  return { ...queryRows(data as JsonObject[], params, limits), etag };
}

/** Builds it now, and returns its state. */
export async function rebuildView(ctx: Context, id: string): Promise<ViewSummary> {
  await openViews(ctx, "update", id);
  if (!(await hasObject(ctx.storage, viewsCollection, id))) noView(id);
  await buildOnce(ctx, id);
  return getView(ctx, id);
}

/** Runs a definition with the caller's own rights, without storing anything. */
/** What is wrong with the text of a handler. It is not run. */
export async function checkHandler(ctx: Context, body: Json): Promise<{ problem: string | null }> {
  await openViews(ctx, "create");
  const source = isJsonObject(body) ? body.source : undefined;
  if (typeof source !== "string") fail("invalid", "A check needs the text of a handler.", { source: ["must be text"] });
  const { checkModule } = await import("#sandbox/run-module.ts");
  return { problem: (await checkModule(source)) ?? null };
}

export async function testView(ctx: Context, body: Json): Promise<TestAnswer> {
  await openViews(ctx, "create");
  const definition = isJsonObject(body) ? body.definition : undefined;
  if (typeof definition !== "string" || definition.trim() === "")
    fail("invalid", "A test needs a definition.", { definition: ["is required"] });
  const [{ runDefinition }, { SandboxError }] = await Promise.all([
    import("./build.ts"),
    import("#sandbox/run-module.ts"),
  ]);
  try {
    const { data, durationMs, logs } = await runDefinition(ctx, definition);
    return { success: true, data, durationMs, logs };
  } catch (error) {
    if (error instanceof SandboxError) return { success: false, error: error.message };
    throw error;
  }
}

async function buildFirst(app: App, id: string): Promise<{ hash: string; data: string }> {
  if (!(await hasObject(app.storage, viewsCollection, id))) noView(id);
  if (!(await findViewState(app.storage, id))) await buildOnce(app, id);
  return (
    (await findViewData(app.storage, id)) ?? fail("unavailable", "This view has no result: it could not be built.")
  );
}

const buildsOf = perInstance((_storage: Storage) => new Map<string, Promise<unknown>>());

/** Concurrent callers wait for one build. */
async function buildOnce(app: App, id: string): Promise<void> {
  const running = buildsOf(app.storage);
  let work = running.get(id);
  if (!work) {
    work = import("./build.ts").then(({ buildView }) => buildView(app, id)).finally(() => running.delete(id));
    running.set(id, work);
  }
  await work;
}

/** Parsed results, weighted by size. */
const keptCharacters = 20_000_000;
const parsedOf = perInstance((storage: Storage) =>
  openStore<Json>(storage, { kind: cacheKinds.views, capacity: keptCharacters, unit: characterBytes }),
);

async function readParsed(app: App, id: string): Promise<{ data: Json; etag: string }> {
  const known = parsedOf(app.storage);
  const state = await findViewState(app.storage, id);
  const cached = state?.hash ? known.get(`${id} ${state.hash}`) : undefined;
  if (cached !== undefined) return { data: cached, etag: `"${state?.hash}"` };
  const { text, etag } = await readData(app, id);
  const data = JSON.parse(text) as Json;
  known.set(`${id} ${etag.slice(1, -1)}`, data, text.length);
  return { data, etag };
}

export function noView(id: string): never {
  fail("not-found", `There is no data view "${id.slice(0, 100)}".`);
}
