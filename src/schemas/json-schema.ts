// Whole JSON values against JSON Schemas: manifests and settings of extensions, arguments of their tools, bodies of their
// routes. Patterns take linear time, and nothing outside the schema itself is referred to.

import type * as Ajv from "ajv/dist/2020.js";
import type { ErrorObject } from "ajv/dist/2020.js";
import type { ErrorDetails } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { createAjv, failuresOf } from "./fields/keywords.ts";

/** Messages by dotted path; the empty path is the value itself. None: the value fits. */
export type JsonCheck = (value: Json) => ErrorDetails;

const checks = new WeakMap<JsonObject, JsonCheck>();
let instance: Ajv.Ajv2020 | undefined;

/** Throws where the schema is not valid. */
export function jsonCheck(schema: JsonObject): JsonCheck {
  const known = checks.get(schema);
  if (known) return known;
  const outside = findReference(schema);
  if (outside !== undefined) throw new Error(`It refers to ${outside}, which is outside the schema.`);
  instance ??= createAjv();
  // Names of schemas must not meet in the shared instance.
  const { $id: _id, $schema: _schema, ...own } = schema;
  const validate = instance.compile(own);
  instance.removeSchema(own);
  const check = (value: Json) => (validate(value) ? {} : detailsOf(validate.errors ?? []));
  checks.set(schema, check);
  return check;
}

function detailsOf(errors: readonly ErrorObject[]): ErrorDetails {
  const details: ErrorDetails = {};
  for (const error of errors) {
    const { path, message } = saidOf(error);
    const said = details[path] ?? [];
    if (!said.includes(message)) details[path] = [...said, message];
  }
  return details;
}

/** A key that is missing or not known is named itself, not the object around it. */
function saidOf(error: ErrorObject): { path: string; message: string } {
  const [{ path, message } = { path: "", message: "" }] = failuresOf([error]);
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  const params = error.params as { additionalProperty?: string; missingProperty?: string };
  if (params.additionalProperty !== undefined)
    return { path: below(params.additionalProperty), message: "is not known" };
  if (params.missingProperty !== undefined) return { path: below(params.missingProperty), message: "is required" };
  return { path, message };
}

/** The first reference that leads elsewhere. */
function findReference(schema: Json): string | undefined {
  if (Array.isArray(schema)) return schema.map(findReference).find((found) => found !== undefined);
  if (!isJsonObject(schema)) return undefined;
  for (const [key, value] of Object.entries(schema)) {
    const isReference = key === "$ref" || key === "$dynamicRef";
    if (isReference && typeof value === "string" && !value.startsWith("#")) return value.slice(0, 100);
    const found = findReference(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
