// The tabs of an automation, and which of them shows a property. Pure.

import { topOf } from "#form/values.ts";

export const handlerTab = "handler";
export const triggersTab = "triggers";
export const runsTab = "runs";

export function tabOf(path: string): string {
  return topOf(path) === "triggers" ? triggersTab : handlerTab;
}
