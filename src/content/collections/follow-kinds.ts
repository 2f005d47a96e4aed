// Field kinds and schemas of extensions, read from the database whenever an extension has changed, before a schema is used:
// every process builds and indexes by the same ones.

import { deepFreeze } from "#base/freeze.ts";
import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { KeptKind } from "#contract/extensions.ts";
import type { SchemaRecord } from "#contract/schemas.ts";
import { setAddedKinds, toAddedKinds } from "#schemas/added-kinds.ts";
import { type AddedSchema, setAddedSchemas } from "#schemas/added-schemas.ts";
import { listBrought } from "#storage/tables/extensions/extensions.ts";

interface Followed {
  version: number | undefined;
  kinds: string;
  schemas: string;
  reading: Promise<void> | undefined;
}

const stateOf = perInstance(
  (_storage: object): Followed => ({ version: undefined, kinds: "[]", schemas: "[]", reading: undefined }),
);

/** Undefined: nothing has changed. */
export function followKinds({ storage }: Pick<App, "storage">): Promise<void> | undefined {
  const state = stateOf(storage);
  if (state.version === storage.version("extensions")) return undefined;
  state.reading ??= read(storage, state).finally(() => {
    state.reading = undefined;
  });
  return state.reading;
}

async function read(storage: App["storage"], state: Followed): Promise<void> {
  const version = storage.version("extensions");
  const rows = await listBrought(storage);
  const kinds = JSON.stringify(rows.map((row) => [row.id, row.kinds]));
  if (kinds !== state.kinds) {
    const all = rows.flatMap((row) => toAddedKinds(row.id, JSON.parse(row.kinds) as { [kind: string]: KeptKind }));
    setAddedKinds(storage, new Map(all));
  }
  const schemas = JSON.stringify(rows.map((row) => [row.id, row.schemas]));
  if (schemas !== state.schemas) setAddedSchemas(storage, schemasOf(rows));
  Object.assign(state, { kinds, schemas, version });
}

/** Of one id the first extension has it. */
function schemasOf(rows: Awaited<ReturnType<typeof listBrought>>): Map<string, AddedSchema> {
  const all = new Map<string, AddedSchema>();
  for (const { id: extension, schemas } of rows)
    for (const [id, record] of Object.entries(JSON.parse(schemas) as { [id: string]: SchemaRecord }))
      if (!all.has(id)) all.set(id, { extension, record: deepFreeze(record) });
  return all;
}
