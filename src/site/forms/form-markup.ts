// The markup of forms: labels, controls, help and errors, connected for assistive technology. Pure; every value is escaped.

import { escapeHtml } from "#base/text.ts";
import type { ShownField, ShownForm } from "./shown-form.ts";

/** By kind, or by what the property is called. */
const autocomplete: Readonly<Record<string, string>> = {
  email: "email",
  tel: "tel",
  url: "url",
  name: "name",
  firstname: "given-name",
  lastname: "family-name",
  company: "organization",
  organization: "organization",
  street: "street-address",
  address: "street-address",
  city: "address-level2",
  zip: "postal-code",
  postcode: "postal-code",
  country: "country-name",
  phone: "tel",
};

/** What stands before the fields: the guard, the way back, and a summary of what is wrong. */
export function formStart(
  form: ShownForm,
  { id, className, path, token }: { id: string; className: string; path: string; token: string | undefined },
): string {
  const { proof, trap } = form;
  const hasFiles = Object.keys(form.definition.files).length > 0;
  const attributes = [
    `method="post" action="/forms/${escapeHtml(form.id)}" id="${escapeHtml(id)}" data-cairn-form`,
    ...(className === "" ? [] : [`class="${escapeHtml(className)}"`]),
    ...(hasFiles ? ['enctype="multipart/form-data"'] : []),
    ...(proof ? [`data-proof="${proof.salt}" data-bits="${proof.bits}"`] : []),
  ];
  const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
  return (
    `<form ${attributes.join(" ")}>${hidden("_page", path)}${token === undefined ? "" : hidden("csrf_token", token)}` +
    `<div style="position:absolute;left:-9999px" aria-hidden="true"><label>Leave this empty ` +
    `<input name="${trap}" tabindex="-1" autocomplete="off"></label></div>`
  );
}

/** Takes the focus, so that it is read first; each line leads to its field. */
export function errorSummary(fields: Iterable<ShownField>, other: readonly string[]): string {
  const lines = [...fields]
    .filter(({ errors }) => errors.length > 0)
    .map(
      ({ id, label, errors }) =>
        `<li><a href="#${escapeHtml(id)}">${escapeHtml(label)}: ${escapeHtml(errors.join(", "))}</a></li>`,
    );
  const rest = other.map((text) => `<li>${escapeHtml(text)}</li>`);
  if (lines.length + rest.length === 0) return "";
  return (
    `<div class="form-summary" role="alert" tabindex="-1" autofocus><p>The form was not sent.</p>` +
    `<ul>${[...lines, ...rest].join("")}</ul></div>`
  );
}

export function sentMessage(text: string): string {
  return `<div class="form-sent" role="status" tabindex="-1" autofocus>${escapeHtml(text)}</div>`;
}

/** Label, control, help and error. `control`: made by a partial of the site. */
export function fieldMarkup(field: ShownField, control = controlMarkup(field)): string {
  const { id, label, required } = field;
  const mark = required ? ' <span class="form-required" aria-hidden="true">*</span>' : "";
  const about = aboutMarkup(field);
  const inner = `${escapeHtml(label)}${mark}`;
  const name = `form-field form-${escapeHtml(field.kind)}`;
  if (isGroup(field))
    return `<fieldset class="${name}" id="${escapeHtml(id)}"${describedBy(field)}><legend>${inner}</legend>${control}${about}</fieldset>`;
  const labelled = `<label for="${escapeHtml(id)}">${inner}</label>`;
  return field.kind === "checkbox"
    ? `<div class="${name}">${control} ${labelled}${about}</div>`
    : `<div class="${name}">${labelled}${control}${about}</div>`;
}

function isGroup({ kind, options }: ShownField): boolean {
  return kind === "radio" || (kind === "checkboxes" && options.length > 0);
}

function aboutMarkup({ id, help, errors }: ShownField): string {
  const hint = help === "" ? "" : `<p class="form-help" id="${escapeHtml(id)}-help">${escapeHtml(help)}</p>`;
  const error = `<p class="form-error" id="${escapeHtml(id)}-error">${escapeHtml(errors.join(", "))}</p>`;
  return hint + (errors.length === 0 ? "" : error);
}

function describedBy({ id, help, errors }: ShownField): string {
  const ids = [...(help === "" ? [] : [`${id}-help`]), ...(errors.length === 0 ? [] : [`${id}-error`])];
  return ids.length === 0 ? "" : ` aria-describedby="${escapeHtml(ids.join(" "))}"`;
}

function controlMarkup(field: ShownField): string {
  const { id, name, kind, options, required, placeholder } = field;
  const need = required ? " required" : "";
  const invalid = field.errors.length > 0 ? ' aria-invalid="true"' : "";
  const common = ` id="${escapeHtml(id)}" name="${escapeHtml(name)}"${need}${invalid}${describedBy(field)}`;
  const values = new Set((Array.isArray(field.value) ? field.value : [field.value]).map(String));
  const value = field.value === null || typeof field.value === "object" ? "" : String(field.value);
  const hint = placeholder === "" ? "" : ` placeholder="${escapeHtml(placeholder)}"`;
  const complete = autocomplete[kind] ?? autocomplete[name.toLowerCase()];
  const filling = complete === undefined ? "" : ` autocomplete="${complete}"`;
  const choices = () =>
    options
      .map((one) => {
        const isChosen = values.has(one.value) ? " selected" : "";
        return `<option value="${escapeHtml(one.value)}"${isChosen}>${escapeHtml(one.label)}</option>`;
      })
      .join("");
  switch (kind) {
    case "textarea":
      return `<textarea rows="6"${common}${hint}>${escapeHtml(value)}</textarea>`;
    case "select":
      return `<select${common}><option value=""></option>${choices()}</select>`;
    case "multiselect":
      return `<select multiple${common}>${choices()}</select>`;
    case "radio":
    case "checkboxes":
      return options.length > 0
        ? boxes(field, values)
        : `<input type="text"${common}${hint} value="${escapeHtml([...values].join(", "))}">`;
    case "checkbox":
      return `<input type="checkbox" value="true"${common}${field.value === true || value === "true" ? " checked" : ""}>`;
    case "file":
      return `<input type="file"${common}${field.accept === "" ? "" : ` accept="${escapeHtml(field.accept)}"`}${field.multiple ? " multiple" : ""}>`;
    case "number":
      return `<input type="number" step="any"${common}${hint} value="${escapeHtml(value)}">`;
    default:
      return `<input type="${escapeHtml(kind)}"${common}${hint}${filling} value="${escapeHtml(value)}">`;
  }
}

function boxes({ id, name, kind, options, required }: ShownField, values: ReadonlySet<string>): string {
  const type = kind === "radio" ? "radio" : "checkbox";
  const need = required && type === "radio" ? " required" : "";
  return options
    .map(({ value, label }, at) => {
      const box = `${escapeHtml(id)}-${at}`;
      const isChosen = values.has(value) ? " checked" : "";
      return (
        `<label for="${box}"><input type="${type}" id="${box}" name="${escapeHtml(name)}"` +
        ` value="${escapeHtml(value)}"${isChosen}${need}> ${escapeHtml(label)}</label>`
      );
    })
    .join("");
}
