// Whether the OAuth server is on. When it is off, none of its addresses exists.

import { isPro } from "#access/edition.ts";
import type { App } from "#context.ts";

export function isOAuthOn(app: Pick<App, "settings">): boolean {
  return app.settings.get("oauth.enabled") && isPro(app);
}
