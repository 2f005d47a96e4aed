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
    schemas: "{}",
    updated: "",
    ...given,
  };
}

/** Why the code could not be loaded, with the hash of that code: other code is tried again. */
export function failureText(text: string, code: string): string {
  return JSON.stringify({ text: text.slice(0, 500), code });
}

export function readFailure({ error }: Pick<ExtensionRow, "error">): { text: string; code?: string } | undefined {
  if (error === null) return undefined;
  return error.startsWith("{") ? (JSON.parse(error) as { text: string; code: string }) : { text: error };
}
