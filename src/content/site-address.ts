// The address of the server, for links in mails and for tokens.
// Set by the HTTP server, from the settings or the listening socket; never taken from a request.

import type { App } from "#context.ts";
import type { Storage } from "#storage/port.ts";

const addresses = new WeakMap<Storage, () => string>();

/** Called once by the HTTP server, when it opens. */
export function nameSite({ storage }: Pick<App, "storage">, baseUrl: () => string): void {
  addresses.set(storage, baseUrl);
}

/** Without a slash at the end. */
export function siteAddress({ storage, settings }: Pick<App, "storage" | "settings">): string {
  return addresses.get(storage)?.() ?? settings.get("url").replace(/\/+$/, "");
}
