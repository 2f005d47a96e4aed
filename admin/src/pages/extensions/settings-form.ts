// The form of an extension's settings, drawn from its JSON Schema: numbers and JSON as they are typed, and back. Pure.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import { humanise } from "@rules/labels.ts";
import { isExtensionKind } from "#elements/kinds.ts";

export type Control = "text" | "area" | "number" | "boolean" | "choice" | "secret" | "list" | "json" | "field";

export interface Setting {
  /** Of the property. */
  key: string;
  /** In the form, where dots would be paths. */
  path: string;
  control: Control;
  /** Of a `field`: the field kind that edits it. */
  kind: string;
  label: string;
  about: string;
  isRequired: boolean;
  /** A secret that the server holds. */
  isSet: boolean;
  isWhole: boolean;
  min: number | undefined;
  max: number | undefined;
  choices: Json[];
}

/** In kept changes it stands for the collection. */
export const keptExtensions = "-extensions";

export function settingsOf(schema: JsonObject, values: JsonObject): Setting[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties)
    .filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
    .map(([key, about]) => {
      const held = values[key];
      const items = isJsonObject(about.items) ? about.items : {};
      const choices = about.enum ?? items.enum;
      return {
        key,
        path: key.replaceAll(".", "/"),
        control: controlOf(about, items),
        kind: String(about["x-control"] ?? ""),
        label: typeof about.title === "string" ? about.title : humanise(key),
        about: typeof about.description === "string" ? about.description : "",
        isRequired: required.includes(key),
        isSet: isJsonObject(held) && held.set === true,
        isWhole: about.type === "integer",
        min: numberOf(about.minimum),
        max: numberOf(about.maximum),
        choices: Array.isArray(choices) ? choices : [],
      };
    });
}

/** Field kinds that `x-control` may name, beside those of extensions: others need an object around them. */
const plainKinds = new Set(["text", "textarea", "styledtext", "code", "color", "date", "datetime", "time", "checkbox"]);

function controlOf(about: JsonObject, items: JsonObject): Control {
  const { type, format, enum: choices, maxLength, "x-control": named } = about;
  if (format === "secret") return "secret";
  if (typeof named === "string" && (plainKinds.has(named) || isExtensionKind(named))) return "field";
  if (Array.isArray(choices) && choices.every((one) => typeof one !== "object")) return "choice";
  if (type === "boolean") return "boolean";
  if (type === "number" || type === "integer") return "number";
  if (type === "array" && (items.type ?? "string") === "string") return "list";
  if (type !== "string") return "json";
  return format === "multiline" || (numberOf(maxLength) ?? 0) > 200 ? "area" : "text";
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** What the form holds of the server's values. */
export function typedOf(settings: readonly Setting[], values: JsonObject): JsonObject {
  return Object.fromEntries(settings.map((setting) => [setting.path, typed(setting, values[setting.key])]));
}

function typed({ control }: Setting, value: Json | undefined): Json {
  switch (control) {
    case "secret":
      return "";
    case "boolean":
      return value === true;
    case "list":
      return Array.isArray(value) ? value : [];
    case "field":
      return value ?? "";
    case "json":
      return value === undefined ? "" : JSON.stringify(value, null, 2);
    case "choice":
      return value === undefined || value === null ? "" : JSON.stringify(value);
    default:
      return value === undefined || value === null ? "" : String(value);
  }
}

export type SettingProblem = "notANumber" | "notJson";

/** What is sent: all values, with what was typed in their place. A secret that was not typed stays; one that is null goes. */
export function readTyped(
  settings: readonly Setting[],
  values: JsonObject,
  changes: JsonObject,
): { body: JsonObject; problems: Map<Setting, SettingProblem> } {
  const body: JsonObject = { ...values };
  const problems = new Map<Setting, SettingProblem>();
  for (const setting of settings) {
    if (!Object.hasOwn(changes, setting.path)) continue;
    const read = readOne(setting, changes[setting.path] as Json);
    if ("problem" in read) problems.set(setting, read.problem);
    else if (read.value === undefined) delete body[setting.key];
    else body[setting.key] = read.value;
  }
  return { body, problems };
}

function readOne({ control, isSet }: Setting, value: Json): { value: Json | undefined } | { problem: SettingProblem } {
  const text = typeof value === "string" ? value.trim() : "";
  switch (control) {
    case "secret":
      return { value: value === "" ? (isSet ? { set: true } : undefined) : (value ?? undefined) };
    case "boolean":
    case "list":
      return { value };
    case "field":
      return { value: value === "" || value === null ? undefined : value };
    case "number": {
      const number = Number(text.replace(",", "."));
      if (text === "") return { value: undefined };
      return Number.isNaN(number) ? { problem: "notANumber" } : { value: number };
    }
    case "choice":
      return { value: text === "" ? undefined : (JSON.parse(text) as Json) };
    case "json":
      if (text === "") return { value: undefined };
      try {
        return { value: JSON.parse(text) as Json };
      } catch {
        return { problem: "notJson" };
      }
    default:
      return { value: value === "" ? undefined : value };
  }
}
