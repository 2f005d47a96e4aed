// How long and how much the log keeps: what the installation says, and a collection where it says less.

import { system } from "#access/actor.ts";
import { parseDuration } from "#base/durations.ts";
import type { Collection } from "#content/collections/collection.ts";
import { listOpenConfigs } from "#content/collections/collection-cache.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import type { Place } from "#storage/port.ts";

/** In milliseconds, by collection; without one: of the installation. */
export interface Retention {
  keep(collection?: string): number;
  trash(collection?: string): number;
  /** A number. */
  versions(collection?: string): number;
  records: number;
  /** 0: no limit. */
  maxBytes: number;
  /** Collections that keep values for a shorter time than the installation. */
  shorter: string[];
  /** Collections that keep fewer versions. */
  fewer: string[];
}

/** A run of the retention. */
export interface Pruning {
  ctx: Context;
  /** The last sealed record. */
  upTo: Place;
  keeping: Retention;
}

type Duration = "history.keep" | "history.trash" | "history.records";

function periodOf({ settings }: Pick<App, "settings">, name: Duration): number {
  return parseDuration(settings.get(name)) ?? 0;
}

/** A collection may say less than the installation, never more. */
function narrowed(whole: number, own: Json | undefined): number {
  const said = typeof own === "string" ? parseDuration(own) : typeof own === "number" ? own : undefined;
  return said === undefined ? whole : Math.min(whole, said);
}

function ownRules(history: Json | undefined): { keep?: Json; trash?: Json; versions?: Json } {
  return isJsonObject(history) ? history : {};
}

/** How long a deleted object of this collection can be restored. */
export function keptInTrash(app: Pick<App, "settings">, collection: Pick<Collection, "settings"> | undefined): number {
  return narrowed(periodOf(app, "history.trash"), ownRules(collection?.settings.history).trash);
}

/** The caller was let in: the rules of all collections are read. */
export async function readRetention(ctx: Context): Promise<Retention> {
  const configs = await listOpenConfigs(contextFor(ctx, system), "read");
  const rules = new Map(configs.map(({ id, history }) => [id, ownRules(history)]));
  const [keep, trash] = [periodOf(ctx, "history.keep"), periodOf(ctx, "history.trash")];
  const versions = ctx.settings.get("history.versions");
  const ownOf = (collection: string | undefined) => (collection === undefined ? {} : (rules.get(collection) ?? {}));
  const ids = [...rules.keys()].sort();
  return {
    keep: (collection) => narrowed(keep, ownOf(collection).keep),
    trash: (collection) => narrowed(trash, ownOf(collection).trash),
    versions: (collection) => narrowed(versions, ownOf(collection).versions),
    records: periodOf(ctx, "history.records"),
    maxBytes: ctx.settings.get("history.maxBytes"),
    shorter: ids.filter((id) => narrowed(keep, ownOf(id).keep) < keep),
    fewer: ids.filter((id) => narrowed(versions, ownOf(id).versions) < versions),
  };
}
