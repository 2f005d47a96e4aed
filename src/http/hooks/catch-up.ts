// Where nodes share a database, a request first waits for what other nodes wrote before it was sent: content, definitions, users
// and settings. Nothing that is asked later in the request waits again.

import { setTimeout as sleep } from "node:timers/promises";
import type { onRequestHookHandler } from "fastify";
import type { App } from "#context.ts";
import { catchUpSettings, followSettings } from "#installation/settings.ts";
import { goOnAfter } from "./go-on-after.ts";

/** How long a route waits that can do with old settings. */
const patienceMs = 2_000;

export function catchUpFirst(app: App): onRequestHookHandler {
  return (request, reply, done) => {
    const takesOld = app.storage.isShared ? request.routeOptions.config.takesOldSettings : undefined;
    if (!app.storage.isShared || takesOld === "at-once") {
      followSettings(app);
      return done();
    }
    const caughtUp = catchUpSettings(app);
    const enough = takesOld ? inTime(caughtUp) : caughtUp;
    goOnAfter(enough, { request, reply, done, log: app.log });
  };
}

function inTime(work: Promise<void>): Promise<void> {
  return Promise.race([work.catch(() => {}), sleep(patienceMs, undefined, { ref: false })]);
}
