// Fills one collection with generated objects.

import { randomInt } from "node:crypto";
import { openCollection } from "#content/collections/open-collection.ts";
import type { Context } from "#context.ts";
import type { ImportResult } from "#contract/imports.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { Problems } from "#sync/definition.ts";
import { findRelated } from "#sync/related.ts";
import { importObjects } from "#transfer/import.ts";
import type { ImportRow } from "#transfer/rows.ts";
import { makeObjects, readFactory } from "./factory.ts";

export interface FillOptions {
  /** Property -> generator rule or value. */
  rules: Json;
  count: number;
  /** The same seed makes the same objects; without one they are new each time. */
  seed?: number | undefined;
  /** Store nothing, and show the first. */
  dryRun?: boolean;
}

export async function fillCollection(
  ctx: Context,
  collection: string,
  { rules, count, seed = randomInt(2 ** 31), dryRun = false }: FillOptions,
): Promise<ImportResult> {
  const { schema } = await openCollection(ctx, "create", collection);
  const problems = new Problems();
  const [item] = readFactory([{ collection, count, seed, data: rules }], problems);
  problems.refuse();
  const options = { now: ctx.clock.iso(), related: await findRelated(ctx, schema) };
  return importObjects(ctx, collection, rowsOf(item ? makeObjects(item, schema, options) : []), { dryRun });
}

async function* rowsOf(objects: readonly { id: string; data: JsonObject }[]): AsyncIterable<ImportRow> {
  for (const { id, data } of objects) yield { ...data, id };
}
