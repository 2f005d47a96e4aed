// group:list, group:get, group:set, group:delete.

import * as groups from "#access/access-groups.ts";
import type { Call } from "#cli/call.ts";
import { readJsonObject } from "#cli/input.ts";
import type { ResourcePermission } from "#contract/access-groups.ts";
import type { Json } from "#contract/json.ts";

export async function listGroups(call: Call): Promise<void> {
  const all = await call.work((ctx) => groups.listGroups(ctx));
  if (call.isJson) return call.out.json(all as unknown as Json);
  await call.out.table(
    ["GROUP", "OBJECTS", "COLLECTIONS", "SCHEMAS", "DESCRIPTION"],
    all.map(({ id, description, permissions: { collections, collectionsMeta, schemas } }) => [
      id,
      summary(collections),
      summary(collectionsMeta),
      summary(schemas),
      description,
    ]),
  );
}

export async function getGroup(call: Call, _options: unknown, id: string): Promise<void> {
  await call.out.json((await call.work((ctx) => groups.getGroup(ctx, id))) as unknown as Json);
}

export async function setGroup(
  call: Call,
  options: { dataJson?: string; yes?: boolean },
  id: string,
  file: string | undefined,
): Promise<void> {
  const body = await readJsonObject(call.host, { file, dataJson: options.dataJson });
  const isConfirmed = options.yes === true;
  const { group, isNew } = await call.work((ctx) => groups.replaceGroup(ctx, id, body, { isConfirmed }));
  if (call.isJson) await call.out.json(group as unknown as Json);
  else await call.out.line(`Access group ${id} is ${isNew ? "created" : "changed"}.`);
}

export async function deleteGroup(call: Call, _options: unknown, id: string): Promise<void> {
  await call.work((ctx) => groups.deleteGroup(ctx, id));
  if (call.isJson) await call.out.json({ deleted: id });
  else await call.out.line(`Access group ${id} is deleted.`);
}

/** `crud *`, `r blog,news`, or nothing. */
function summary({ operations, all, allowed }: ResourcePermission): string {
  const letters = operations.map((operation) => operation.charAt(0)).join("");
  const names = all ? "*" : allowed.join(",");
  return letters && names ? `${letters} ${names}` : "";
}
