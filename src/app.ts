// The only wiring: from settings to a running app. Imported by main.ts alone.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { flushKeyStamps } from "#access/api-keys.ts";
import { systemClock } from "#base/clock.ts";
import { createEvents } from "#base/events.ts";
import { createLog } from "#base/log.ts";
import { createOutbox } from "#base/outbox.ts";
import { resumeDeletions } from "#content/collections.ts";
import { flushDownloads } from "#content/download-counts.ts";
import { mailSettings } from "#content/mail-settings.ts";
import { resumeReindex, stopReindex } from "#content/reindex.ts";
import { followSchemaFiles } from "#content/schemas.ts";
import { tellUnreadable } from "#content/settings.ts";
import { closeFileParts, openFileParts } from "#files/file-parts.ts";
import { openDefinitions } from "#storage/definitions.ts";
import { openStorage } from "#storage/open.ts";
import type { Settings } from "./config.ts";
import type { App } from "./context.ts";

export interface RunningApp {
  app: App;
  close(): Promise<void>;
}

export async function openApp(settings: Settings, role: "server" | "command"): Promise<RunningApp> {
  const log = createLog(role === "server" ? settings.get("log.level") : commandLogLevel(settings));
  mkdirSync(settings.dataDir, { recursive: true });
  mkdirSync(join(settings.dataDir, ".system"), { recursive: true, mode: 0o700 });
  const storage = await openStorage({
    dataDir: settings.dataDir,
    databaseUrl: settings.get("databaseUrl"),
    role,
    log,
  });
  const schemaFiles = await openDefinitions(join(settings.dataDir, ".schemas"), { log });
  const events = createEvents((error) => log.error({ err: error }, "an event listener failed"));
  const mail = createOutbox({ settings: () => mailSettings(settings), log });
  const fileParts = await openFileParts({
    dataDir: settings.dataDir,
    filesUrl: settings.get("filesUrl"),
    log,
    maxPixels: () => settings.get("images.maxPixels"),
    maxCacheBytes: () => settings.get("images.cacheSize"),
  });
  const app: App = { settings, storage, schemaFiles, ...fileParts, events, mail, clock: systemClock, log };
  tellUnreadable(app);
  if (role === "server") {
    followSchemaFiles(app);
    resumeReindex(app);
    resumeDeletions(app);
  }
  return {
    app,
    async close() {
      await mail.close();
      await stopReindex(app);
      await flushKeyStamps(app);
      await flushDownloads(app);
      await closeFileParts(fileParts);
      schemaFiles.close();
      await storage.close();
    },
  };
}

/** A command speaks to a person, in sentences; its log is for whoever asks for the details. */
function commandLogLevel(settings: Settings): string {
  const level = settings.get("log.level");
  return level === "debug" || level === "trace" ? level : "silent";
}
