// The contract on the embedded engine.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "#base/log.ts";
import { openStorage } from "./open.ts";
import { storageContract } from "./storage.contract.ts";

const log = createLog("silent");

storageContract("the embedded engine", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
  const options = { dataDir, databaseUrl: "", role: "command" as const };
  return {
    open: () => openStorage({ ...options, log }),
    options,
    remove: async () => rmSync(dataDir, { recursive: true }),
  };
});
