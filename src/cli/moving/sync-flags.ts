// The flags of push and pull as a request: which categories, which ids, what is seeded.

import { CairnError } from "#base/errors.ts";
import { UsageError } from "#cli/usage.ts";
import type { Order } from "#sync/push-pull.ts";
import { seedingRefusal } from "#sync/rules.ts";
import { categories, fullMirror, readSeeds, type Seeds, type Selection, splitIds } from "#sync/selection.ts";

/** As the command line names them: `mcpPrompts` for `--mcp-prompts`. */
export type SyncOptions = Record<string, unknown> & {
  objects?: readonly string[];
  overwrite?: boolean;
  force?: boolean;
  yes?: boolean;
  dryRun?: boolean;
};

/** With at least one filter, categories that are not named are left out. */
export function readOrder(options: SyncOptions): Order {
  if (options.collectionMeta !== undefined) {
    throw new UsageError(
      "--collection-meta is gone: --collections carries the settings of collections now. " +
        "Objects go by --pages, --dataviews, --mailer, --mcp-prompts, --automations, or are seeded by --objects.",
    );
  }
  const seeds = seedsOf(options.objects ?? []);
  const selection = selectionOf(options);
  const overwrite = options.overwrite === true;
  if (seeds.size > 0 && overwrite && options.force !== true && options.dryRun !== true) {
    throw new UsageError("--objects with --overwrite replaces objects of the other side permanently: add --force.");
  }
  const isFiltered = seeds.size > 0 || Object.keys(selection).length > 0;
  return { selection: isFiltered ? selection : fullMirror, seeds, overwrite };
}

function selectionOf(options: SyncOptions): Selection {
  const selection: Selection = {};
  for (const category of categories) {
    const value = options[category === "mcp-prompts" ? "mcpPrompts" : category];
    if (value === true) selection[category] = "all";
    else if (typeof value === "string") selection[category] = idsOf(category, value);
  }
  return selection;
}

/** An empty list is a mistake, such as an unset variable; it must not mean everything. */
function idsOf(category: string, value: string): string[] {
  const ids = splitIds(value);
  if (ids.length === 0) throw new UsageError(`--${category}= names nothing: leave out the = to mean all.`);
  return ids;
}

function seedsOf(texts: readonly string[]): Seeds {
  try {
    const seeds = readSeeds(texts);
    for (const collection of seeds.keys()) {
      const refusal = seedingRefusal(collection);
      if (refusal) throw new UsageError(`${refusal}.`);
    }
    return seeds;
  } catch (error) {
    throw error instanceof CairnError ? new UsageError("--objects must be collection or collection:id,id.") : error;
  }
}
