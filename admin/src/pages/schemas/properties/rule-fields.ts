// The rules that a property of each kind can have: the key of the definition, and how it is asked for. Keys that are not here are
// edited as JSON. Pure.

import type { PropertyType } from "@contract/schemas.ts";

export interface RuleField {
  /** `minLength`, or `settings.step` of the settings. */
  key: string;
  input: "number" | "whole" | "text" | "pattern" | "flag" | "choice" | "list";
  /** Of a flag: what holds when nothing is said. */
  isOnByDefault?: boolean;
  choices?: readonly string[];
}

const number = (key: string): RuleField => ({ key, input: "number" });
const whole = (key: string): RuleField => ({ key, input: "whole" });
const text = (key: string): RuleField => ({ key, input: "text" });
const list = (key: string): RuleField => ({ key, input: "list" });
const flag = (key: string, isOnByDefault = false): RuleField => ({ key, input: "flag", isOnByDefault });
const choice = (key: string, choices: readonly string[]): RuleField => ({ key, input: "choice", choices });

const lengths = [whole("minLength"), whole("maxLength")];
const counts = [whole("minItems"), whole("maxItems")];
const pattern: RuleField = { key: "pattern", input: "pattern" };
const formats = ["email", "url", "uri", "date", "time", "date-time", "ipv4", "ipv6", "hostname", "uuid", "duration"];
const transforms = ["lowercase", "uppercase", "titlecase", "sentencecase", "smart-titlecase", "smart-sentencecase"];
const files = [number("settings.rules.size.max"), list("settings.rules.filetype")];
const pictures = [
  ...files,
  whole("settings.rules.width.min"),
  whole("settings.rules.height.min"),
  choice("settings.rules.orientation", ["landscape", "portrait", "square"]),
  flag("settings.extractExif", true),
  flag("settings.extractPalette", true),
];

const byType: Partial<Record<PropertyType, readonly RuleField[]>> = {
  string: [...lengths, pattern],
  code: lengths,
  slug: [...lengths, pattern],
  email: lengths,
  url: lengths,
  phone: lengths,
  number: [number("minimum"), number("maximum"), number("multipleOf"), text("settings.calc")],
  integer: [number("minimum"), number("maximum"), number("multipleOf"), text("settings.calc")],
  list: [...counts],
  array: [...counts, flag("uniqueItems")],
  deck: [...counts, text("deckItemLabel")],
  date: [flag("settings.onCreate"), flag("settings.onUpdate")],
  object: [whole("minProperties"), whole("maxProperties")],
  svg: [flag("settings.svgclean", true)],
  image: pictures,
  gallery: [whole("settings.rules.count.max"), ...pictures],
  file: [...files, flag("settings.protectedByCollection", true)],
  depot: [whole("settings.rules.count.max"), ...files, flag("settings.protectedByCollection", true)],
  password: [whole("minLength")],
};

const byKind: Readonly<Record<string, readonly RuleField[]>> = {
  id: [text("settings.autogen"), flag("settings.snakeCase")],
  text: [choice("format", formats), text("settings.autogen"), choice("settings.textTransform", transforms)],
  textarea: [choice("settings.textTransform", transforms), whole("settings.rows")],
  styledtext: [whole("settings.heightMin"), whole("settings.charCounterMax"), whole("settings.wordCounterMax")],
  hidden: [text("settings.autogen")],
  number: [number("settings.step")],
  range: [number("settings.step")],
  price: [text("settings.currency"), whole("settings.decimals")],
  code: [text("settings.mode"), whole("settings.rows")],
  select: [flag("settings.clearValue", true)],
  list: [flag("settings.addChoices", true), whole("settings.maxItemCount")],
  radio: [text("settings.fieldGrid")],
  multicheckbox: [text("settings.fieldGrid"), flag("settings.toggleAll", true)],
  checklist: [text("settings.fieldGrid"), flag("settings.toggleAll", true)],
  deck: [choice("settings.modalSize", ["small", "medium", "large"])],
  deckTable: [],
};

/** Kinds of text whose content has a form of its own. */
const unpatterned = new Set(["select", "radio", "secret", "styledtext"]);

export function ruleFields(kind: string, type: PropertyType): RuleField[] {
  const ofType = byType[type] ?? [];
  const fitting = unpatterned.has(kind) ? ofType.filter(({ key }) => key !== "pattern") : ofType;
  return [...fitting, ...(byKind[kind] ?? [])];
}

/** Kinds that choose from options, or suggest them. */
const choosing = new Set(["select", "multiselect", "radio", "multicheckbox", "checklist", "list", "text", "color"]);

export function hasOptions(kind: string): boolean {
  return choosing.has(kind);
}

/** Values that a default can be written for in one line. */
export type DefaultInput = "text" | "number" | "flag" | "list" | "none";

const plain = new Set<PropertyType>(["string", "code", "date", "time", "email", "url", "phone", "color", "svg"]);

export function defaultInput(type: PropertyType): DefaultInput {
  if (type === "boolean") return "flag";
  if (type === "number" || type === "integer") return "number";
  if (type === "list" || type === "array") return "list";
  return plain.has(type) ? "text" : "none";
}
