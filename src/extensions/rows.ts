// A row about an extension of which nothing was decided yet.

import type { ExtensionRow } from "#storage/tables/extensions/extensions.ts";

export function blankRow(id: string, given: Partial<ExtensionRow> = {}): ExtensionRow {
  return {
    id,
    enabled: 0,
    switchedOff: "[]",
    approved: null,
    settings: "{}",
    error: null,
    quarantined: 0,
    kinds: "{}",
    updated: "",
    ...given,
  };
}
