// Schemas and writes for the tests of this folder.

import { CairnError, type ErrorDetails } from "#base/errors.ts";
import type { JsonObject } from "#contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";
import type { FindSchema } from "#rules/inherit.ts";
import { type AddedKinds, noKinds } from "./added-kinds.ts";
import { type BuildOptions, type Built, buildDocument, collectPasswords } from "./build.ts";
import { decodeJson } from "./fields/clean.ts";
import { createFlattener } from "./flatten.ts";
import type { FlatSchema } from "./types.ts";

export const now = "2026-03-04T05:06:07.890Z";

export const htmlclean = {
  enabled: true,
  allowedIframeDomains: ["www.youtube.com"],
  allowedCssProperties: [] as string[],
  allowedTags: [] as string[],
};

type Properties = { [name: string]: PropertyDefinition };

export function flattenSchema(
  record: SchemaRecord,
  find: FindSchema = () => undefined,
  kinds: AddedKinds = noKinds,
): FlatSchema {
  return createFlattener((id) => (id === record.id ? record : find(id)), kinds)(record.id) as FlatSchema;
}

export function schemaOf(
  properties: Properties,
  more: Partial<SchemaRecord> = {},
  items: Record<string, Properties> = {},
): FlatSchema {
  const record = (id: string, own: Properties): SchemaRecord => ({ id, properties: own, required: [], index: ["id"] });
  return flattenSchema({ ...record("test", properties), ...more }, (id) => items[id] && record(id, items[id]));
}

export function build(schema: FlatSchema, input: JsonObject, options: Partial<BuildOptions> = {}): Built {
  const hashes = new Map(
    collectPasswords(schema, input, options.isTrusted).map((plain) => [plain, `hash of ${plain}`]),
  );
  const times = { now, created: now, modified: now };
  // All file values count as real, unless a test says otherwise.
  const files = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, decodeJson(value)]));
  return buildDocument(
    schema,
    { id: "x", ...input },
    { ...times, counter: 7, htmlclean, hashes, secrets: {}, files, ...options },
  );
}

/** The stored value of a single property. */
export function stored(definition: PropertyDefinition, value: JsonObject[string], options: Partial<BuildOptions> = {}) {
  return build(schemaOf({ it: { label: "It", ...definition } }), { it: value }, options).document.it;
}

/** The details of a refused write. */
export function refusal(run: () => unknown): ErrorDetails {
  try {
    run();
  } catch (error) {
    if (error instanceof CairnError && error.details) return error.details;
    throw error;
  }
  throw new Error("it was accepted");
}

export function refused(definition: PropertyDefinition, value: JsonObject[string]): string[] | undefined {
  return refusal(() => stored(definition, value)).it;
}
