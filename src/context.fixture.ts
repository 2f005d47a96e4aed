// For tests in this process: a context of the system itself, on real stores in a folder of its own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { system } from "./access/actor.ts";
import { createLimiter } from "./access/rate-limiter.ts";
import { systemClock } from "./base/clock.ts";
import { fail } from "./base/errors.ts";
import { createLog } from "./base/log.ts";
import { loadSettings } from "./config/config.ts";
import type { ExtensionPort } from "./content/extension-port.ts";
import { createRules } from "./content/write-rules.ts";
import type { Context } from "./context.ts";
import { openDefinitions } from "./files/definition-files.ts";
import { closeFileParts, openFileParts } from "./files/file-parts.ts";
import { createJobs } from "./jobs/queue.ts";
import { createReactions } from "./jobs/reactions.ts";
import { service } from "./lanes/caller.ts";
import { createOutbox } from "./mail/outbox.ts";
import { bearerTokens } from "./oauth/bearer.ts";
import { openStorage } from "./storage/open.ts";
import { handleImports } from "./transfer/import.ts";

/** Nothing is enabled. */
const noExtensions: ExtensionPort = {
  of: () => [],
  templates: () => new Map(),
  call: () => fail("not-found"),
  report: () => {},
  findActor: async () => undefined,
};

export async function openTestContext(
  dataDir = mkdtempSync(join(tmpdir(), "cairn-content-")),
): Promise<{ ctx: Context; close(): Promise<void> }> {
  const log = createLog("silent");
  const settings = loadSettings({ projectDir: dataDir, env: {}, flags: { data: dataDir } });
  const storage = await openStorage({ dataDir, databaseUrl: "", role: "command", log });
  const schemaFiles = await openDefinitions(join(dataDir, ".schemas"), { log });
  const mail = createOutbox({ deliver: async () => {}, log });
  const limits = { maxPixels: () => 100_000_000, maxCacheBytes: () => 100_000_000 };
  const fileParts = await openFileParts({ dataDir, filesUrl: "", log, ...limits, caches: storage });
  const jobs = createJobs({ storage, clock: systemClock, log });
  handleImports({ jobs });
  return {
    ctx: {
      settings,
      storage,
      schemaFiles,
      definitions: undefined,
      ...fileParts,
      reactions: createReactions(),
      jobs,
      rules: createRules(),
      extensions: noExtensions,
      mail,
      limiter: createLimiter({ storage, clock: systemClock, log }),
      bearer: bearerTokens,
      clock: systemClock,
      log,
      actor: system,
      caller: service,
    },
    async close() {
      await closeFileParts(fileParts);
      schemaFiles.close();
      await storage.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
