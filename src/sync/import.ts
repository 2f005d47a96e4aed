// The two operations of another installation on this one: import of its definition, export of this one.

import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { ImportReport } from "#contract/transfer.ts";
import { applyDefinition } from "./apply-definition.ts";
import type { Fingerprint } from "./compare.ts";
import { type Definition, readDefinition } from "./definition.ts";
import { exportSync, fingerprintSeeds } from "./export.ts";
import { readSelection } from "./selection.ts";

/** Replaces items of the same id and deletes nothing. */
export async function importSync(ctx: Context, body: Json): Promise<ImportReport> {
  allow(ctx, "update", { kind: "sync" });
  const report = await applyDefinition(ctx, readDefinition(body), "upsert");
  const { created, updated } = report;
  if (created.length + updated.length > 0) {
    audit(ctx, { type: "sync.imported", details: { created: created.length, updated: updated.length } });
  }
  return report;
}

export type SyncExport = Definition & { existing?: Fingerprint[] };

/** By query parameters. `objects` asks which of the objects for seeding exist. */
export async function exportFor(ctx: Context, params: Readonly<Record<string, unknown>>): Promise<SyncExport> {
  allow(ctx, "read", { kind: "sync" });
  const { selection, seeds } = readSelection(params);
  const definition = await exportSync(ctx, selection);
  return seeds.size === 0 ? definition : { ...definition, existing: await fingerprintSeeds(ctx, seeds) };
}
