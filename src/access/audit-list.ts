// Reads the audit log, oldest first, file by file, with little of it in memory at once.

import { openLogFiles } from "#base/logs/log-files.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { allow } from "./allow.ts";
import { type Audited, auditFiles } from "./audit.ts";

export interface AuditFilter {
  type?: string | undefined;
  /** An ISO time; only events from then on. */
  since?: string | undefined;
}

export async function* listAudit(ctx: Audited, { type, since }: AuditFilter): AsyncIterable<JsonObject> {
  allow(ctx, "read", { kind: "audit" });
  const files = await openLogFiles(auditFiles(ctx));
  try {
    for (const file of files.reverse()) {
      for await (const line of file.readLines({ autoClose: false })) {
        const event = parse(line);
        if (!event || (type !== undefined && event.type !== type)) continue;
        if (since === undefined || String(event.time) >= since) yield event;
      }
    }
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

/** Undefined for a line that was cut off. */
function parse(line: string): JsonObject | undefined {
  try {
    const event = JSON.parse(line);
    return isJsonObject(event) ? event : undefined;
  } catch {
    return undefined;
  }
}
