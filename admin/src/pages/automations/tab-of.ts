// Where automations are stored, the tabs of one, and which of them shows a property. Pure.

import { topOf } from "#form/values.ts";

export const automationsCollection = "automations";

export const handlerTab = "handler";
export const triggersTab = "triggers";
export const runsTab = "runs";

export function tabOf(path: string): string {
  return topOf(path) === "triggers" ? triggersTab : handlerTab;
}
