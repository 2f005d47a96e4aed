// For answers that depend on settings alone: these are current, also where another node has just changed them.

import type { onRequestHookHandler } from "fastify";
import type { App } from "#context.ts";
import { catchUpSettings } from "#installation/settings.ts";

export function followSettingsFirst(app: App): onRequestHookHandler {
  return (_request, _reply, done) => {
    const following = catchUpSettings(app);
    if (following === undefined) done();
    else following.then(() => done(), done);
  };
}
