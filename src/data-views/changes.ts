// Whether a view's result has become another one, by whichever process it was built: for those who are told of changes.

import type { App } from "#context.ts";
import { findViewState } from "#storage/tables/view-results.ts";

/** Another one for each result; empty while there is none. */
export async function viewMark({ storage }: Pick<App, "storage">, id: string): Promise<string> {
  return (await findViewState(storage, id))?.hash ?? "";
}
