// views:list, build.

import type { Call } from "#cli/call.ts";
import type { ViewSummary } from "#contract/data-views.ts";
import type { Json } from "#contract/json.ts";
import { listViews, rebuildView } from "#data-views/views.ts";

export async function list(call: Call): Promise<void> {
  await print(call, await call.work((ctx) => listViews(ctx)));
}

/** 1 when any build failed. */
export async function build(call: Call, _options: unknown, id?: string): Promise<number> {
  const built = await call.work(async (ctx) => {
    const ids = id === undefined ? (await listViews(ctx)).map((view) => view.id) : [id];
    const states: ViewSummary[] = [];
    for (const one of ids) states.push(await rebuildView(ctx, one));
    return states;
  });
  await print(call, built);
  return built.some(({ lastError }) => lastError !== null) ? 1 : 0;
}

async function print(call: Call, views: ViewSummary[]): Promise<void> {
  if (call.isJson) return call.out.json(views as unknown as Json);
  await call.out.table(
    ["ID", "NAME", "DEPENDS ON", "LAST BUILT", "MS", "ERROR"],
    views.map((view) => [
      view.id,
      view.name,
      view.dependencies.join(","),
      view.lastBuilt ?? "never",
      String(view.durationMs ?? ""),
      view.lastError ?? "",
    ]),
  );
}
