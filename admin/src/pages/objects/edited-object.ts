// One object being edited: its form store, with defaults of a new object and with kept changes laid over it. Pure.

import type { FormDescription } from "@contract/admin.ts";
import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import { type FieldProperty, shownProperties } from "#fields/property.ts";
import type { KeptEntry } from "#form/kept.ts";
import { placeOf, restored, type Shape } from "#form/shape.ts";
import { createFormStore, type FormStore } from "#form/store.ts";
import { valueAt } from "#form/values.ts";

export interface EditedObject {
  store: FormStore;
  /** What it began from, where that is older than what is stored: changes that were brought back. */
  ancestor: JsonObject | undefined;
  etag: string;
  /** Sent with a new object, where it was not changed. */
  fresh: JsonObject;
}

interface Opening {
  form: FormDescription;
  object: { data: JsonObject; etag: string } | undefined;
  kept: KeptEntry | undefined;
  /** What a new object begins with beside the defaults of its schema. */
  fresh?: JsonObject | undefined;
  /** `values`: those beside the property. */
  problemOf: (property: FieldProperty, values: JsonObject) => string | undefined;
}

export function editObject({ form, object, kept, fresh = {}, problemOf }: Opening): EditedObject {
  const base = object ? object.data : { ...defaultsOf(form), ...fresh };
  const shape: Shape = { ...form, isNew: !object };
  const store = createFormStore(base, (path, values) => {
    const place = placeOf(shape, path);
    const beside = place && valueAt(values, place.parent);
    return place && problemOf(place.property, isJsonObject(beside) ? beside : {});
  });
  if (!kept) return { store, ancestor: undefined, etag: object?.etag ?? "", fresh };
  const whole = Object.entries(kept.changes).map(([name, value]) => {
    const property = placeOf(shape, name)?.property;
    return [name, property ? restored(property, value, base[name], form.items) : value];
  });
  store.lay(Object.fromEntries(whole));
  const isOlder = object !== undefined && kept.etag !== object.etag;
  return {
    store,
    ancestor: isOlder ? { ...base, ...kept.base } : undefined,
    etag: isOlder ? kept.etag : (object?.etag ?? ""),
    fresh,
  };
}

/** As the server would set them. */
function defaultsOf({ schema }: FormDescription): JsonObject {
  const defaults: JsonObject = {};
  for (const property of shownProperties(schema, true)) {
    const { default: value } = property.definition;
    const made = property.type === "date" ? dateDefault(value) : value;
    if (made !== undefined && made !== null && property.lock === undefined) defaults[property.name] = made;
  }
  return defaults;
}

/** Relative dates are worked out by the server. */
function dateDefault(value: Json | undefined): Json | undefined {
  if (value === "now") return new Date().toISOString();
  if (value === "today") return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
