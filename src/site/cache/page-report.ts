// The kept pages of this process, for people who look after the site. Callers have checked the right to it.

import { allow } from "#access/allow.ts";
import type { App, Context } from "#context.ts";
import type { CacheKind } from "#contract/admin.ts";
import { clearFragments } from "./kept-fragments.ts";
import { keptPagesOf, pageCapacity } from "./kept-pages.ts";

export function measurePages(app: App): CacheKind {
  const { store, counters } = keptPagesOf(app);
  const hits = counters.hits + counters.validations;
  return { kind: "pages", entries: store.count, bytes: store.bytes, limit: pageCapacity(app), hits };
}

/** They are rendered again when somebody asks for them. */
export function clearPages(app: App): void {
  keptPagesOf(app).store.clear();
  clearFragments(app);
}

/** Their number. Asks for the right itself. */
export function clearKeptPages(ctx: Context): number {
  allow(ctx, "delete", { kind: "util", util: "cache" });
  return keptPagesOf(ctx).store.clear();
}
