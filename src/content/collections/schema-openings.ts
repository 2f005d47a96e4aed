// What a changed schema opens in collections that hold objects already: without `draft` their drafts count as published,
// and other settings of fields may unlock their files. It needs the same rights as that change in the settings of a
// collection.

import { isDeepStrictEqual } from "node:util";
import { isAdminPersona, isLimitedKey } from "#access/actor.ts";
import type { Context } from "#context.ts";
import { settingsOf } from "#schemas/fields/report.ts";
import { findFlatSchema } from "#schemas/find-schema.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { hasFiles } from "#schemas/values/resolve-file.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { fillSettings } from "./collection-settings.ts";
import { allowOpenings, guardsIn, type Opening } from "./openings.ts";

/** `family`: the schema and all that are made with it; `findAfter`: as schemas will be. */
export async function allowSchemaOpenings(
  ctx: Context,
  family: ReadonlySet<string>,
  findAfter: (id: string) => FlatSchema | undefined,
): Promise<void> {
  if (isAdminPersona(ctx.actor) && !isLimitedKey(ctx.actor)) return;
  const pairs = [...family].map((id) => ({ before: findFlatSchema(ctx, id), after: findAfter(id) }));
  const showsDrafts = pairs.some(
    ({ before, after }) => before?.properties.has("draft") && !isSameType(before, after, "draft"),
  );
  const opensFiles = pairs.some(({ before, after }) => before && after && !isGuardedAlike(before, after));
  if (!showsDrafts && !opensFiles) return;
  for (const row of await listCollectionRows(ctx.storage)) {
    const { schema, groups: members } = fillSettings(JSON.parse(row.settings));
    if (row.isDeleting || !family.has(schema)) continue;
    const openings: Opening[] = [];
    if (showsDrafts) openings.push({ property: "draft", opened: ["drafts"], operations: ["read"], members: [] });
    if (opensFiles)
      openings.push({ property: "properties", opened: ["files"], operations: ["read", "update"], members });
    await allowOpenings(ctx, row.id, openings);
  }
}

function isSameType(before: FlatSchema, after: FlatSchema | undefined, name: string): boolean {
  return before.properties.get(name)?.kind.type === after?.properties.get(name)?.kind.type;
}

/** Properties that are new have no files yet. */
function isGuardedAlike(before: FlatSchema, after: FlatSchema): boolean {
  for (const [name, property] of before.properties) {
    const next = after.properties.get(name);
    if (!next) continue;
    if (hasFiles(property) && !isSameType(before, after, name)) return false;
    if (!isDeepStrictEqual(guardsIn(settingsOf(property)), guardsIn(settingsOf(next)))) return false;
  }
  return true;
}
