// Data views on the website: those whose card is open to the public.

import type { App } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { knownViews } from "./load-views.ts";
import { readData } from "./views.ts";

export async function findSiteView(app: App, id: string): Promise<Json | undefined> {
  const view = (await knownViews.load(app)).get(id);
  if (view?.access !== "public") return undefined;
  return JSON.parse((await readData(app, id)).text) as Json;
}
