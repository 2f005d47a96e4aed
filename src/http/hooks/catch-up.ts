// Where nodes share a database, a request first waits for what other nodes wrote before it was sent: content, definitions, users
// and settings. Nothing that is asked later in the request waits again.

import type { onRequestHookHandler } from "fastify";
import type { App } from "#context.ts";
import { catchUpSettings, followSettings } from "#installation/settings.ts";

export function catchUpFirst(app: App): onRequestHookHandler {
  return (request, _reply, done) => {
    const takesOld = app.storage.isShared ? request.routeOptions.config.takesOldSettings : undefined;
    if (!app.storage.isShared || takesOld === "at-once") {
      followSettings(app);
      return done();
    }
    catchUpSettings(app).then(
      () => done(),
      (error) => (takesOld ? done() : done(error)),
    );
  };
}
