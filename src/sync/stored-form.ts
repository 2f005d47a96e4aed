// Schemas as an installation would store them. A file that was written by hand says the same in fewer words; two copies are
// compared by what both sides would store.

import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { SchemaRecord } from "#contract/schemas.ts";
import { addedKinds } from "#schemas/added-kinds.ts";
import { findRawSchema, readRecord } from "#schemas/find-schema.ts";
import { normaliseSchema } from "#schemas/normalise-schema.ts";
import { type Fingerprint, fingerprints } from "./compare.ts";
import type { Definition, Identified } from "./definition.ts";

type Find = (id: string) => SchemaRecord | undefined;

/** As it is where it is not valid: an import would refuse it. */
export function storedForm(ctx: Context, record: SchemaRecord, find: Find): SchemaRecord {
  try {
    return normaliseSchema({ ...record } as unknown as JsonObject, {
      ...{ find, now: "", isTrusted: true },
      kinds: addedKinds(ctx.storage),
    });
  } catch {
    return record;
  }
}

/** Of one side. Schemas that it does not send are taken from here. */
export function storedPrints(ctx: Context, definition: Definition): Fingerprint[] {
  const records = new Map(definition.schemas.map((schema) => [schema.id, readRecord(schema.id, schema)]));
  const find: Find = (id) => records.get(id) ?? findRawSchema(ctx, id);
  const schemas = [...records.values()].map((record) => storedForm(ctx, record, find) as unknown as Identified);
  return fingerprints({ ...definition, schemas });
}
