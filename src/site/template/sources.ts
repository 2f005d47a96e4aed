// What templates get from rooms that the site does not import: results of data views, files of `public/`, locks of files.
// `app.ts` and the HTTP server name them once.

import type { Collection } from "#content/collections/collection.ts";
import type { App } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";

export interface SiteSources {
  view(id: string): Promise<Json | undefined>;
  asset(path: string): Promise<{ path: string; hash: string | undefined } | undefined>;
  isOpenFile(collection: Collection, id: string, path: readonly string[]): Promise<boolean>;
}

/** Nothing is open until somebody says so. */
const none: SiteSources = {
  view: async () => undefined,
  asset: async (path) => ({ path, hash: undefined }),
  isOpenFile: async () => false,
};

const named = new WeakMap<Storage, Partial<SiteSources>>();

export function nameSources({ storage }: Pick<App, "storage">, sources: Partial<SiteSources>): void {
  named.set(storage, { ...named.get(storage), ...sources });
}

export function sourcesOf({ storage }: Pick<App, "storage">): SiteSources {
  return { ...none, ...named.get(storage) };
}
