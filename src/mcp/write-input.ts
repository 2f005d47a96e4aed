// An object as an agent sends it, before it becomes a write. Agents send back what they were shown: what was only shown
// (address, version) is dropped, what they cannot see or send (files, hidden properties) stays as it is stored, and a rich
// text that comes back in a reading format is not taken for a new one.

import { isDeepStrictEqual } from "node:util";
import { type ErrorDetails, fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { exposedSchema } from "#schemas/mcp-visibility.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { type InnerShape, mapShapes, shapesOf } from "#schemas/values/walk.ts";
import { asStored, isRich, type WrittenFormat } from "./reading/formats.ts";
import { addressOf } from "./reading/present.ts";
import { findCut } from "./transport/budget.ts";

/** The properties alone. Fails when a text is in it that was cut for reading. */
export function stripShownFields(ctx: Context, collection: Collection, data: JsonObject, id?: string): JsonObject {
  const cut = findCut(data);
  if (cut !== undefined)
    fail("invalid", "A text was cut for reading; it must not be written back.", { [cut]: [cutNote] });
  const { properties } = collection.schema;
  const body = { ...data };
  const dropShown = (name: string, isShown: (value: Json) => boolean) => {
    const value = body[name];
    if (value !== undefined && !properties.has(name) && isShown(value)) delete body[name];
  };
  const object = { ...data, ...(id !== undefined && { id }) };
  dropShown("url", (url) => url === addressOf(ctx, collection.settings, object));
  dropShown("collection", (name) => name === collection.id);
  for (const name of ["rev", "_rev", "_cut"]) dropShown(name, () => true);
  return body;
}

const cutNote = "Read it whole first, with `properties` and `from`, or leave it out.";

/** A new object has no files yet. */
function checkNewFiles(schema: FlatSchema, body: JsonObject): void {
  refuseFiles(fileProblems(schema, body, undefined, ""));
}

/** A new object, with its rich text as HTML. */
export function prepareNew(schema: FlatSchema, body: JsonObject, format: WrittenFormat): JsonObject {
  checkNewFiles(schema, body);
  return format === "html" ? body : keepStored(schema, body, {}, format);
}

/** Of an object that exists: what of the body counts. */
export type Prepare = (body: JsonObject, current: JsonObject, schema: FlatSchema, format: WrittenFormat) => JsonObject;

/** A whole object: what is not in it and cannot be is taken from the stored one. */
export const prepareReplacement: Prepare = (body, current, schema, format) => {
  refuseFiles(fileProblems(schema, body, current, ""));
  return keepStored(schema, body, current, format);
};

/** Some properties: what was not sent is not touched. */
export const preparePatch: Prepare = (body, current, schema, format) => {
  refuseFiles(fileProblems(schema, body, current, ""));
  const kept = keepStored(schema, body, current, format);
  return Object.fromEntries(Object.keys(body).map((name) => [name, cleared(schema, name, kept[name] as Json)]));
};

const neverText: ReadonlySet<string> = new Set(["number", "integer", "boolean", "rating"]);

/** An empty value takes a property back to its default, also where it could not be a value. */
function cleared({ properties }: FlatSchema, name: string, value: Json): Json {
  return value === "" && neverText.has(properties.get(name)?.kind.type ?? "") ? null : value;
}

function refuseFiles(problems: string[]): void {
  if (problems.length === 0) return;
  const details: ErrorDetails = {};
  for (const path of problems) details[path] = ["Files are not sent with the object: leave it out, it stays as it is."];
  fail("invalid", `Leave out ${problems.join(", ")}; upload_file takes files.`, details);
}

/** The paths of file values that differ from the stored ones. Empty values remove files. */
function fileProblems(schema: FlatSchema, sent: JsonObject, stored: JsonObject | undefined, prefix: string): string[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const property = schema.properties.get(name);
    if (!property) return [];
    const [path, before] = [prefix + name, stored?.[name]];
    if (property.kind.isUploaded) return isEmpty(value) || isDeepStrictEqual(value, before) ? [] : [path];
    const { item } = property;
    if (!item) return [];
    const storedOf = storedShapes(property, before);
    return shapesOf(property, value).flatMap((shape) => {
      const inner = property.kind.type === "card" ? path : `${path}.${shape.id ?? shape.index}`;
      return fileProblems(item, shape.value, storedOf(shape), `${inner}.`);
    });
  });
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

/** What is stored of the card, or of each item of the deck by its id. */
function storedShapes(property: Property, before: Json | undefined): (shape: InnerShape) => JsonObject | undefined {
  const stored = new Map(shapesOf(property, before).map(({ id, value }) => [id, value]));
  return ({ id }) => (property.kind.type === "deck" && id === undefined ? undefined : stored.get(id));
}

function keepStored(schema: FlatSchema, sent: JsonObject, stored: JsonObject, format: WrittenFormat): JsonObject {
  const kept = { ...sent };
  const shown = exposedSchema(schema).properties;
  for (const property of schema.properties.values()) {
    const { name, kind, isPassword, item } = property;
    const [value, before] = [sent[name], stored[name]];
    const isUnseen = kind.isUploaded || (!shown.has(name) && !isPassword);
    if (value === undefined) {
      if (isUnseen && before !== undefined) kept[name] = before;
    } else if (isRich(property)) kept[name] = asStored(value, before, format);
    else if (item) {
      const storedOf = storedShapes(property, before);
      kept[name] = mapShapes(property, value, (shape) => {
        const own = storedOf(shape);
        if (!own && format === "html") return shape.value;
        return keepStored(item, shape.value, own ?? {}, format);
      });
    }
  }
  return kept;
}
