// Reads the audit log, oldest first, file by file or from the database that nodes share, with little of it in memory at once.

import { openLogFiles } from "#base/logs/log-files.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { allow } from "./allow.ts";
import { type Audited, auditFiles } from "./audit.ts";
import { readShared } from "./logs/shared-log-pages.ts";
import { settleLogs } from "./logs/shared-logs.ts";

export interface AuditFilter {
  type?: string | undefined;
  /** An ISO time; only events from then on. */
  since?: string | undefined;
}

export async function* listAudit(
  ctx: Audited & Pick<Context, "storage">,
  { type, since }: AuditFilter,
): AsyncIterable<JsonObject> {
  allow(ctx, "read", { kind: "audit" });
  await settleLogs(ctx);
  const { storage } = ctx;
  for await (const line of storage.isShared ? readShared(storage, "access", since) : readFiles(auditFiles(ctx))) {
    const event = parse(line);
    if (!event || (type !== undefined && event.type !== type)) continue;
    if (since === undefined || String(event.time) >= since) yield event;
  }
}

async function* readFiles(paths: readonly string[]): AsyncIterable<string> {
  const files = await openLogFiles(paths);
  try {
    for (const file of files.reverse()) yield* file.readLines({ autoClose: false });
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
