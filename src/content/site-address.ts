// Under which address the server is reached, for links in mails and for tokens.
// Named by the door, from the settings or the listening socket; never taken from what a request claims.

import type { App } from "#context.ts";
import type { Storage } from "#storage/port.ts";

const addresses = new WeakMap<Storage, () => string>();

/** By the door, once, when it opens. */
export function nameSite({ storage }: Pick<App, "storage">, baseUrl: () => string): void {
  addresses.set(storage, baseUrl);
}

/** Without a slash at the end. */
export function siteAddress({ storage, settings }: Pick<App, "storage" | "settings">): string {
  return addresses.get(storage)?.() ?? settings.get("url").replace(/\/+$/, "");
}
