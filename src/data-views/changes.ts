// Detects a changed result of a view, whichever process built it, for subscribers.

import type { App } from "#context.ts";
import { findViewState } from "#storage/tables/view-results.ts";

/** Different for each result; empty while there is none. */
export async function resultVersion({ storage }: Pick<App, "storage">, id: string): Promise<string> {
  return (await findViewState(storage, id))?.hash ?? "";
}
