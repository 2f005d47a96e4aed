// Logs as their files have them: each node writes one of its own.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "../harness.ts";

type Nodes = Pick<Server, "dataDirs">;
const timeOf = (line: string) => /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(line)?.[0] ?? "";

/** Of all nodes, in the order of their times; of one node as it wrote them. */
export function logLines({ dataDirs }: Nodes, name: "access.log" | "mcp.log"): string[] {
  const lines = dataDirs
    .map((folder) => join(folder, ".system", "logs", name))
    .flatMap((file) => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : []))
    .filter(Boolean);
  return dataDirs.length === 1 ? lines : lines.sort((a, b) => timeOf(a).localeCompare(timeOf(b)));
}

export function auditLines(nodes: Nodes): Record<string, unknown>[] {
  return logLines(nodes, "access.log").map((line) => JSON.parse(line) as Record<string, unknown>);
}
