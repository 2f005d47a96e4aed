// The address of the server, for links in mails and for tokens.
// Set by the HTTP server, from the settings or the listening socket; never taken from a request.

import type { App } from "#context.ts";
import type { Storage } from "#storage/port.ts";

const addresses = new WeakMap<Storage, () => string>();

/** Called once by the HTTP server, when it opens. */
export function nameSite({ storage }: Pick<App, "storage">, baseUrl: () => string): void {
  addresses.set(storage, baseUrl);
}

/** Where the admin and the pages of sessions are. Without a slash at the end. */
export function adminAddress(app: Pick<App, "storage" | "settings">): string {
  return onAdminHost(siteAddress(app), app.settings.get("site.adminHost"));
}

/** Comes before a path of the admin's host. Empty where every host has it. */
export function adminPrefix(app: Pick<App, "storage" | "settings">): string {
  return app.settings.get("site.adminHost") === "" ? "" : adminAddress(app);
}

/** The address with the admin's host, where one is named. */
export function onAdminHost(address: string, host: string): string {
  return host === "" ? address : address.replace(/^(https?:\/\/)[^/]*/, (_all, scheme: string) => scheme + host);
}

/** Without a slash at the end. */
export function siteAddress({ storage, settings }: Pick<App, "storage" | "settings">): string {
  return addresses.get(storage)?.() ?? settings.get("url").replace(/\/+$/, "");
}
