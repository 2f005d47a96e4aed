// The features of the edition. Data stays in every edition; only the doors close.

import { fail } from "#base/errors.ts";
import type { App } from "#context.ts";

export function isPro(app: Pick<App, "settings">): boolean {
  return app.settings.get("edition") === "pro";
}

const order = ["lite", "standard", "pro"];

/** Whether an edition has all that another one has. */
export function editionIncludes(edition: string, other: string): boolean {
  return order.indexOf(edition) >= order.indexOf(other);
}

/** Marks on images need the Standard edition. */
export function hasWatermarks(app: Pick<App, "settings">): boolean {
  return app.settings.get("edition") !== "lite";
}

/** `feature` as it reads in a sentence: "Deck items", "Custom schemas". */
export function requirePro(app: Pick<App, "settings">, feature: string): void {
  if (isPro(app)) return;
  fail("edition-required", `${feature} need the Pro edition; this installation runs ${app.settings.get("edition")}.`);
}
