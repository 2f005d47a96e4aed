// Values of field kinds whose extension cleans or completes them, before the transaction of a write. Only changed values are
// handed over, those of one kind together. While the extension is not running, values are stored as they were sent.

import { CairnError, type ErrorDetails, fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { AddedKind } from "#schemas/added-kinds.ts";
import { settingsOf } from "#schemas/fields/report.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import type { Offered } from "./extension-port.ts";

const normaliseMs = 2_000;

interface Found {
  /** Of the property at the top. */
  top: string;
  /** Dotted, for errors. */
  path: string;
  property: Property;
  kind: AddedKind;
  value: Json;
  put(value: Json): void;
}

interface Changed {
  collection: string;
  id: string | null;
  before: JsonObject | null;
  after: JsonObject;
}

/** Whether some value of such objects may be changed by code. */
export const hasNormalised = perInstance((schema: FlatSchema): boolean =>
  [...schema.properties.values()].some(({ added, item }) => added?.normalise || (item && hasNormalised(item))),
);

/** The properties that are to be stored instead. Throws where the extension refuses a value, or fails. */
export async function normaliseValues(
  ctx: Context,
  schema: FlatSchema,
  { collection, id, before, after }: Changed,
): Promise<JsonObject> {
  const offered = await ctx.extensions.of("fields");
  const running = new Map(offered.map((one) => [`${one.extension}:${one.entry.kind}`, one]));
  const copy = structuredClone(after);
  const known = new Set(before ? valuesIn(schema, before).map(markOf) : []);
  const found = valuesIn(schema, copy).filter((one) => running.has(one.kind.name) && !known.has(markOf(one)));
  if (found.length === 0) return {};
  const details: ErrorDetails = {};
  const changes: JsonObject = {};
  for (const [name, some] of Map.groupBy(found, ({ kind }) => kind.name)) {
    const values = some.map(({ path, property, value }) => {
      return { collection, id, property: path, value, settings: settingsOf(property) };
    });
    const results = await run(ctx, running.get(name) as Offered<"fields">, values);
    for (const [at, one] of some.entries()) {
      const result = results[at] as { value: Json } | { error: string };
      if ("error" in result) details[one.path] = [...(details[one.path] ?? []), result.error];
      else {
        one.put(result.value);
        changes[one.top] = copy[one.top] ?? null;
      }
    }
  }
  if (Object.keys(details).length > 0) fail("validation-failed", undefined, details);
  return changes;
}

async function run(
  ctx: Context,
  { extension, entry }: Offered<"fields">,
  values: JsonObject[],
): Promise<({ value: Json } | { error: string })[]> {
  try {
    const args = ["normalise", values];
    const said = await ctx.extensions.call({
      extension,
      kind: "fields",
      name: entry.kind,
      args,
      ctx,
      timeoutMs: normaliseMs,
    });
    const results = Array.isArray(said) && said.length === values.length ? said.map(readResult) : [];
    if (results.length === values.length && results.every((one) => one !== undefined)) return results;
    ctx.extensions.report(
      extension,
      `normalise of the field kind "${entry.kind}" must answer a result for each value.`,
    );
  } catch (error) {
    if (error instanceof CairnError && error.status < 500) throw error;
  }
  const failed = new CairnError(
    "unavailable",
    `The extension ${extension} could not normalise a value of "${entry.kind}". Nothing was changed.`,
  );
  failed.retryAfter = 5;
  throw failed;
}

function readResult(said: unknown): { value: Json } | { error: string } | undefined {
  if (typeof said !== "object" || said === null) return undefined;
  if ("error" in said && typeof said.error === "string") return { error: said.error.slice(0, 500) };
  return "value" in said && said.value !== undefined ? { value: said.value as Json } : undefined;
}

function markOf({ kind, value, top }: Found): string {
  return `${top} ${kind.name} ${JSON.stringify(value)}`;
}

/** All values of such kinds, in cards and decks too. */
function valuesIn(schema: FlatSchema, object: JsonObject, above?: { top: string; path: string }): Found[] {
  return [...schema.properties.values()].flatMap((property): Found[] => {
    const { name, added, item, kind } = property;
    const value = object[name];
    if (value === undefined || value === null) return [];
    const top = above?.top ?? name;
    const path = above ? `${above.path}.${name}` : name;
    if (item && Array.isArray(value))
      return value.flatMap((entry) =>
        isJsonObject(entry) ? valuesIn(item, entry, { top, path: `${path}.${String(entry.id)}` }) : [],
      );
    if (item && isJsonObject(value)) return valuesIn(item, value, { top, path });
    if (!added?.normalise || kind.isEmpty(value)) return [];
    const put = (next: Json) => {
      object[name] = next;
    };
    return [{ top, path, property, kind: added, value, put }];
  });
}
