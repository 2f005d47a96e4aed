// Tells the server once that a part of an extension has failed in the admin.

import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { ElementPart } from "./part.ts";

const reported = new Set<string>();
const maxText = 500;

export function reportFailure({ extension, contribution, address }: ElementPart, error: unknown): void {
  if (reported.has(address)) return;
  reported.add(address);
  const [vendor = "", name = ""] = extension.split("/");
  const message = (error instanceof Error ? error.message : String(error)).slice(0, maxText);
  // The page shows the fallback by now. A report that is refused changes nothing.
  ask(routes.reportExtension, { path: { vendor, name }, body: { name: contribution, message } }).catch(() => undefined);
}
