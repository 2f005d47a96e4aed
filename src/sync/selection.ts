// The selection of a push, a pull or an export: for each category nothing, everything, or some ids.

import { fail } from "#base/errors.ts";
import { type SyncCategory, syncCategories } from "#contract/transfer.ts";

export type Category = SyncCategory;

export const categories: readonly Category[] = syncCategories;

export type Wanted = "all" | readonly string[];

/** An absent category was not asked for. */
export type Selection = Partial<Record<Category, Wanted>>;

/** Objects to be seeded: by collection. */
export type Seeds = ReadonlyMap<string, Wanted>;

/** Everything but seeding. */
export const fullMirror: Selection = Object.fromEntries(categories.map((category) => [category, "all"]));

export function isWanted(wanted: Wanted | undefined, id: string): boolean {
  return wanted === "all" || (wanted?.includes(id) ?? false);
}

/** Longer lists of ids are not sent: everything is fetched, and filtered here. */
const maxListed = 2_000;

export function selectionParams(selection: Selection, seeds: Seeds): URLSearchParams {
  const params = new URLSearchParams();
  for (const [category, wanted] of Object.entries(selection)) params.set(category, listed(wanted));
  for (const [collection, wanted] of seeds) {
    const ids = listed(wanted);
    params.append("objects", ids === "" ? collection : `${collection}:${ids}`);
  }
  return params;
}

function listed(wanted: Wanted): string {
  const text = wanted === "all" ? "" : wanted.join(",");
  return text.length > maxListed ? "" : text;
}

/** From the parameters of a request: absent is nothing, empty is all, otherwise ids. No parameter at all is everything. */
export function readSelection(params: Readonly<Record<string, unknown>>): { selection: Selection; seeds: Seeds } {
  const { api_key: _, objects, ...asked } = params;
  const seeds = readSeeds(objects === undefined ? [] : [objects].flat());
  const names = Object.keys(asked);
  if (names.length === 0) return { selection: objects === undefined ? fullMirror : {}, seeds };
  const selection: Selection = {};
  for (const name of names) {
    const category = categories.find((candidate) => candidate === name);
    const value = asked[name];
    if (!category || typeof value !== "string") {
      const known = `${categories.join(", ")} and objects`;
      fail("invalid", `The parameters are ${known}, each once.`, { [name]: ["is not one of them, or is there twice"] });
    }
    selection[category] = value === "" || value === "*" ? "all" : splitIds(value);
  }
  return { selection, seeds };
}

/** `collection`, or `collection:id,id`. */
export function readSeeds(texts: readonly unknown[]): Map<string, Wanted> {
  const seeds = new Map<string, Wanted>();
  for (const text of texts) {
    const [, collection, ids] = (typeof text === "string" && /^([a-z0-9_-]+)(?::(.*))?$/s.exec(text)) || [];
    if (collection === undefined || (ids !== undefined && splitIds(ids).length === 0)) {
      fail("invalid", "Objects are named as collection or collection:id,id.", { objects: ["is not of that form"] });
    }
    const known = seeds.get(collection);
    const isAll = ids === undefined || known === "all";
    seeds.set(collection, isAll ? "all" : [...new Set([...(known ?? []), ...splitIds(ids)])]);
  }
  return seeds;
}

export function splitIds(text: string): string[] {
  return text
    .split(",")
    .map((id) => id.trim())
    .filter(Boolean);
}
