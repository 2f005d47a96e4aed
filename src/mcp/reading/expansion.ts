// The objects that come along with an answer (`expand`), as tools show objects: without what the schema hides, and no more of
// them than an answer can hold.

import type { Collection } from "#content/collections/collection.ts";
import type { RichFormat } from "#content/collections/saved-queries.ts";
import { planExpand } from "#content/relations/expand-plan.ts";
import { getExpanded } from "#content/relations/expanded.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { maxAnswer } from "#mcp/transport/budget.ts";
import { presentObject } from "./present.ts";

/** Half of what an answer may have. */
const budget = maxAnswer / 2;

interface OfObject {
  id: string;
  args: JsonObject;
  format: RichFormat;
}

/** Of one object; undefined: nothing is to come along. */
export async function expandForTool(
  ctx: Context,
  collection: Collection,
  { id, args, format }: OfObject,
): Promise<JsonObject | undefined> {
  if (args.expand === undefined) return undefined;
  const params = { expand: args.expand };
  const { expand } = await getExpanded(ctx, collection.id, id, params);
  return presentExpansion(ctx, collection, { params, expand, format });
}

export interface Expansion {
  params: Record<string, unknown>;
  /** JSON text. */
  expand: string | undefined;
  format: RichFormat;
}

/** What has no room is left out; `_cut` says so. */
export async function presentExpansion(
  ctx: Context,
  collection: Collection,
  { params, expand, format }: Expansion,
): Promise<JsonObject | undefined> {
  const plan = expand === undefined ? undefined : await planExpand(ctx, collection, params);
  if (!plan) return undefined;
  const found = JSON.parse(expand as string) as Record<string, Record<string, JsonObject>>;
  const shown: Record<string, JsonObject> = {};
  let size = 0;
  for (const { name, target } of plan.hops) {
    const objects: JsonObject = {};
    shown[name] = objects;
    for (const [id, document] of Object.entries(found[name] ?? {})) {
      const object = presentObject(ctx, target as Collection, document, { format });
      size += JSON.stringify(object).length;
      if (size <= budget) objects[id] = object;
    }
  }
  if (size > budget)
    shown._cut = { hint: "Some objects had no room. Read them with get_object, or ask for fewer items." };
  return shown;
}
