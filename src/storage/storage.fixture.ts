// A database of its own for the tests of one file: opened before them, gone after them.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import type { Logger } from "pino";
import { createLog } from "#base/log.ts";
import { openStorage } from "./open.ts";
import type { Storage } from "./port.ts";

export interface TestStorage {
  dataDir: string;
  log: Logger;
  /** Only inside tests: it is opened after the file is read. */
  readonly storage: Storage;
}

export function testStorage(): TestStorage {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-unit-"));
  const log = createLog("silent");
  let storage: Storage;
  before(async () => {
    storage = await openStorage({ dataDir, databaseUrl: "", role: "command", log });
  });
  after(async () => {
    await storage.close();
    rmSync(dataDir, { recursive: true });
  });
  return {
    dataDir,
    log,
    get storage() {
      return storage;
    },
  };
}
