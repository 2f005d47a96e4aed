// Data views over MCP: the view's own card decides, groups do not. A view that its card does not show does not exist.

import { isAdminPersona } from "#access/actor.ts";
import { isAllowed } from "#access/allow.ts";
import { isPro } from "#access/edition.ts";
import type { Params } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { findViewState, listViewStates } from "#storage/tables/view-results.ts";
import { knownViews, type View, viewsCollection } from "./load-views.ts";
import type { RowPage } from "./rows.ts";
import { noView, readData, readRows } from "./views.ts";

export type ExposedView = View & { lastBuilt: string | null; lastError: string | null };

/** Limits of a page over MCP. */
const pageLimits = { default: 20, max: 50 };

function isExposed(ctx: Context, { access }: View): boolean {
  if (!isPro(ctx)) return false;
  if (access === "public" || isViewAdmin(ctx)) return true;
  return access === "authenticated" && ctx.actor.kind !== "anonymous";
}

/** The admin persona; of limited keys, those for data views. */
export function isViewAdmin({ actor }: Context): boolean {
  const subject = { kind: "objects", collection: viewsCollection, publicOperations: [] } as const;
  return isAdminPersona(actor) && isAllowed(actor, "read", subject);
}

export async function hasExposedViews(ctx: Context): Promise<boolean> {
  for (const view of (await knownViews.load(ctx)).values()) if (isExposed(ctx, view)) return true;
  return false;
}

export async function listExposedViews(ctx: Context): Promise<ExposedView[]> {
  const shown = [...(await knownViews.load(ctx)).values()].filter((view) => isExposed(ctx, view));
  if (shown.length === 0) return [];
  const states = new Map((await listViewStates(ctx.storage)).map((state) => [state.id, state]));
  return shown.map((view) => ({
    ...view,
    lastBuilt: states.get(view.id)?.built ?? null,
    lastError: states.get(view.id)?.error ?? null,
  }));
}

export async function getExposedView(ctx: Context, id: string): Promise<ExposedView> {
  const view = await allowExposed(ctx, id);
  const state = await findViewState(ctx.storage, id);
  return { ...view, lastBuilt: state?.built ?? null, lastError: state?.error ?? null };
}

export async function queryExposedView(ctx: Context, id: string, params: Params): Promise<RowPage> {
  await allowExposed(ctx, id);
  return readRows(ctx, id, { params, limits: pageLimits });
}

export async function getExposedData(ctx: Context, id: string): Promise<Json> {
  await allowExposed(ctx, id);
  return JSON.parse((await readData(ctx, id)).text) as Json;
}

async function allowExposed(ctx: Context, id: string): Promise<View> {
  const view = (await knownViews.load(ctx)).get(id);
  return view && isExposed(ctx, view) ? view : noView(id);
}
