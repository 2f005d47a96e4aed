// The audit log as its files have it: each node writes one of its own.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "../harness.ts";

/** Of all nodes, in the order of their times. */
export function auditLines({ dataDirs }: Pick<Server, "dataDirs">): Record<string, unknown>[] {
  return dataDirs
    .map((folder) => join(folder, ".system", "logs", "access.log"))
    .flatMap((file) => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : []))
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .sort((a, b) => String(a.time).localeCompare(String(b.time)));
}
