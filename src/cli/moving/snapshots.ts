// backup:list, backup:restore: snapshots of overwritten items.

import type { Call } from "#cli/call.ts";
import { clean } from "#cli/output.ts";
import type { Json } from "#contract/json.ts";
import * as restore from "#sync/snapshots/restore.ts";

export async function listBackups(call: Call, _options: unknown, of?: string): Promise<void> {
  const found = await call.work((ctx) => restore.listBackups(ctx, of));
  if (call.isJson) return call.out.json(found as unknown as Json);
  if (found.length === 0) return call.out.line("There are no snapshots.");
  await call.out.table(
    ["CREATED", "KIND", "COLLECTION", "ID", "FILE"],
    found.map(({ created, kind, collection = "", id, file }) => [created, kind, collection, id, file]),
  );
}

export async function restoreBackup(call: Call, _options: unknown, file: string): Promise<void> {
  const restored = await call.work((ctx) => restore.restoreSnapshot(ctx, file));
  const { replaced } = restored;
  if (call.isJson) return call.out.json(restored as unknown as Json);
  const name = restored.kind === "object" ? `${restored.collection}/${restored.id}` : restored.id;
  await call.out.line(clean(`The ${restored.kind} ${name} is as it was on ${restored.created}.`));
  if (replaced) call.remark(`The replaced version is kept as ${replaced}.`);
}
