// The values that a schema offers for a property: texts, pairs of value and label, or groups of these. Pure.

import type { Json } from "@contract/json.ts";
import type { PropertyDefinition } from "@contract/schemas.ts";

export interface Choice {
  value: string;
  label: string;
  group?: string;
}

export function choicesOf({ options, enum: listed }: PropertyDefinition): Choice[] {
  const given = isEmpty(options) ? listed : options;
  return given === undefined ? [] : readChoices(given);
}

function isEmpty(options: Json | undefined): boolean {
  return options === undefined || options === null || Object.keys(options).length === 0;
}

function readChoices(options: Json, group?: string): Choice[] {
  if (Array.isArray(options)) return options.flatMap((option) => readChoice(option, group));
  if (typeof options !== "object" || options === null) return [];
  return Object.entries(options).flatMap(([name, inside]) =>
    // A map of values to labels, or of names to groups.
    typeof inside === "object" ? readChoices(inside, name) : readChoice({ value: name, label: inside }, group),
  );
}

function readChoice(option: Json, group: string | undefined): Choice[] {
  const inGroup = group !== undefined && { group };
  if (typeof option !== "object" || option === null) {
    const value = String(option ?? "");
    return value === "" ? [] : [{ value, label: value, ...inGroup }];
  }
  if (Array.isArray(option)) return [];
  const value = option.value ?? option.id;
  if (value === undefined || typeof value === "object") return [];
  return [{ value: String(value), label: String(option.label ?? value), ...inGroup }];
}

/** What a stored value is called. */
export function labelOf(choices: readonly Choice[], value: string): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}
