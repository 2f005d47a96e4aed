// The context of everything that is done for visitors together: with the rights of the public, and with the time of the service,
// because what is rendered for one visitor is kept for all of them.

import { anonymous, system } from "#access/actor.ts";
import { type App, type Context, contextFor } from "#context.ts";

export function siteContext(app: App): Context {
  return { ...contextFor(app, anonymous), caller: contextFor(app, system).caller };
}
