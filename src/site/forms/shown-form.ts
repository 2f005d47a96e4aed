// A form as a page shows it: its fields with what was typed and what is wrong. Pure, apart from names that the site's key makes.

import type { Collection } from "#content/collections/collection.ts";
import { readForms } from "#content/collections/form-settings.ts";
import type { App } from "#context.ts";
import type { FormDefinition } from "#contract/forms.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import type { SentForm } from "#site/pages/page-request.ts";
import { proofBits, proofSalts, trapExpires, trapNames } from "./form-guard.ts";

export interface ShownForm {
  /** `{collection}/{name}`. */
  id: string;
  name: string;
  definition: FormDefinition;
  collection: Collection;
  /** The field that people do not see, and the seconds that it is so named. */
  trap: string;
  trapExpires: number;
  proof?: { salt: string; bits: number };
}

export interface FieldOption {
  value: string;
  label: string;
}

export interface ShownField {
  name: string;
  /** Of the control in the page. */
  id: string;
  label: string;
  help: string;
  placeholder: string;
  kind: string;
  required: boolean;
  options: FieldOption[];
  value: Json;
  errors: string[];
  accept: string;
  multiple: boolean;
}

/** Undefined: there is none, or it is switched off. */
export function findShownForm(
  app: Pick<App, "settings" | "clock">,
  collection: Collection | undefined,
  name: string,
): ShownForm | undefined {
  const [salt = ""] = proofSalts(app, `${collection?.id}/${name}`);
  return formIn(collection, name, { trap: trapNames(app)[0] as string, trapExpires: trapExpires(app), salt });
}

interface GuardNames extends Pick<ShownForm, "trap" | "trapExpires"> {
  salt: string;
}

export function formIn(
  collection: Collection | undefined,
  name: string,
  { salt, ...trap }: GuardNames,
): ShownForm | undefined {
  const definition = collection && readForms(collection.settings).get(name);
  if (!collection || !definition?.enabled) return undefined;
  const isProven = definition.guard.challenge === "proof";
  return {
    ...{ id: `${collection.id}/${name}`, name, definition, collection },
    ...trap,
    ...(isProven && { proof: { salt, bits: proofBits } }),
  };
}

/** In the order of the form, files last. */
export function shownFields(form: ShownForm, sent: SentForm | undefined, elementId: string): Map<string, ShownField> {
  const { collection, definition } = form;
  const fields = new Map<string, ShownField>();
  for (const name of [...definition.fields, ...Object.keys(definition.files)]) {
    const property = collection.schema.properties.get(name);
    if (!property) continue;
    const { label, isRequired, definition: defined, kind } = property;
    const files = definition.files[name];
    const fallback = typeof defined.default === "object" ? "" : (defined.default ?? "");
    fields.set(name, {
      ...{ name, id: `${elementId}-${name}`, label: label || name },
      help: typeof defined.help === "string" ? defined.help : "",
      placeholder: typeof defined.placeholder === "string" ? defined.placeholder : "",
      kind: files ? "file" : kindOf(String(defined.field ?? ""), kind.type),
      required: isRequired,
      options: optionsOf(defined.options ?? defined.enum),
      value: sent?.values[name] ?? (sent ? "" : fallback),
      errors: [...(sent?.errors[name] ?? [])],
      accept: files?.types.join(",") ?? "",
      multiple: (files?.max ?? 1) > 1,
    });
  }
  return fields;
}

const byField: Readonly<Record<string, string>> = {
  textarea: "textarea",
  styledtext: "textarea",
  code: "textarea",
  json: "textarea",
  select: "select",
  radio: "radio",
  multiselect: "multiselect",
  multicheckbox: "checkboxes",
  checklist: "checkboxes",
  list: "checkboxes",
  checkbox: "checkbox",
  toggle: "checkbox",
  number: "number",
  price: "number",
  range: "number",
  rating: "number",
  email: "email",
  url: "url",
  phone: "tel",
  date: "date",
  datetime: "datetime-local",
  time: "time",
  color: "color",
};
const byType: Readonly<Record<string, string>> = {
  boolean: "checkbox",
  integer: "number",
  number: "number",
  rating: "number",
  email: "email",
  url: "url",
  phone: "tel",
  date: "date",
  time: "time",
  color: "color",
  list: "checkboxes",
  array: "checkboxes",
};

function kindOf(field: string, type: string): string {
  return byField[field] ?? byType[type] ?? "text";
}

function optionsOf(options: Json | undefined): FieldOption[] {
  if (isJsonObject(options)) return Object.entries(options).map(([value, label]) => ({ value, label: String(label) }));
  if (!Array.isArray(options)) return [];
  return options.map((option) => {
    if (!isJsonObject(option)) return { value: String(option), label: String(option) };
    const value = String(option.value ?? option.id ?? option.label ?? "");
    return { value, label: String(option.label ?? option.name ?? value) };
  });
}
