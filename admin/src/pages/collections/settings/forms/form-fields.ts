// The settings of one form as fields, by their path in the record of the collection. Pure.

import type { Json } from "@contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "@contract/schemas.ts";
import { type FieldProperty, readProperty } from "#fields/property.ts";
import type { formSettings } from "#words/en/form-settings.ts";

type Words = typeof formSettings;

/** Written by the service, or not part of an object's content. */
const serviceOwned = new Set(["id", "created", "modified", "updated"]);
const fileTypes = new Set(["file", "image", "gallery", "depot"]);
const inner = new Set(["card", "deck"]);
/** Their objects are people, code or parts of the site. */
const closed = new Set([
  ...["auth", "automations", "builder-pages", "builder-page", "dataviews", "mailer", "mcp-prompt", "playground"],
]);

export function takesForms(id: string, schema: string): boolean {
  return !closed.has(id) && !closed.has(schema);
}

export function isFormName(name: string): boolean {
  return /^[a-z0-9_]+(-[a-z0-9_]+)*$/.test(name) && name.length <= 60;
}

export interface SchemaParts {
  /** Properties that a form may fill. */
  fields: FieldProperty[];
  files: FieldProperty[];
}

export function partsOf(schema: SchemaRecord): SchemaParts {
  const all = Object.keys(schema.properties).map((name) => readProperty(schema, name, false));
  return {
    fields: all.filter(
      ({ name, type }) => !serviceOwned.has(name) && type !== "password" && !fileTypes.has(type) && !inner.has(type),
    ),
    files: all.filter(({ type }) => fileTypes.has(type)),
  };
}

/** The fields of a form by their place in it, such as `guard.links`. */
export function formFields(form: string, words: Words, { fields }: SchemaParts): Record<string, FieldProperty> {
  const named = (texts: Record<string, string>): Json[] =>
    Object.entries(texts).map(([value, label]) => ({ value, label }));
  const noClear = { clearValue: false };
  const noChoice = { placeholder: words.challenges.none };
  return readAll(form, words, {
    enabled: { field: "toggle" },
    fields: { field: "multiselect", options: fields.map(({ name, label }) => ({ value: name, label })) },
    access: { field: "radio", options: named(words.access), settings: noClear },
    "guard.links": { field: "number", type: "integer", placeholder: "3" },
    "guard.words": { field: "list" },
    "guard.challenge": { field: "select", ...noChoice, options: named(words.challenges), settings: noClear },
    message: { field: "textarea" },
    redirect: { field: "text", placeholder: "/thank-you" },
    notify: { field: "list" },
  });
}

/** The rules of the files of one property. */
export function fileFields(form: string, words: Words, { name, label }: FieldProperty): Record<string, FieldProperty> {
  const texts = {
    ...words,
    labels: { max: words.most(label), maxBytes: words.bytes(label), types: words.types(label) },
    help: { max: words.mostHelp, maxBytes: words.bytesHelp, types: words.typesHelp },
  };
  return readAll(`${form}.files.${name}`, texts, {
    max: { field: "number", type: "integer" },
    maxBytes: { field: "number", type: "integer" },
    types: { field: "list" },
  });
}

function readAll(
  base: string,
  { labels, help }: Pick<Words, "labels" | "help">,
  definitions: Record<string, PropertyDefinition>,
): Record<string, FieldProperty> {
  const properties = Object.fromEntries(
    Object.entries(definitions).map(([part, definition]): [string, PropertyDefinition] => {
      const about = help[part];
      return [
        `forms.${base}.${part}`,
        { ...definition, label: labels[part] ?? part, ...(about !== undefined && { help: about }) },
      ];
    }),
  );
  const schema: SchemaRecord = { id: "form", properties, required: [], index: [] };
  return Object.fromEntries(
    Object.keys(definitions).map((part) => [part, readProperty(schema, `forms.${base}.${part}`, false)]),
  );
}

/** The label of a setting in the list of what needs attention: "contact: Fields". */
export function formLabel(path: string, { labels }: Pick<Words, "labels">): string | undefined {
  const [top, form, ...rest] = path.split(".");
  if (top !== "forms" || form === undefined) return undefined;
  const part = rest.join(".");
  return part === "" ? form : `${form}: ${labels[part] ?? labels[rest[0] ?? ""] ?? part}`;
}
