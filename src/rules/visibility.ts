// Whether a field is shown, by the value of another: `settings.visibility` of a property.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

export interface VisibilityRule {
  /** The property that decides. */
  watch: string;
  operator: string;
  value: Json;
  /** What happens to the field when the rule is not met. */
  mode: "hide" | "disable";
}

/** undefined: the field is always shown. */
export function readVisibility(setting: Json | undefined): VisibilityRule | undefined {
  if (!isJsonObject(setting) || typeof setting.watch !== "string") return undefined;
  const { watch, operator, value = null, mode } = setting;
  return {
    watch,
    value,
    operator: typeof operator === "string" ? operator : Array.isArray(value) ? "in" : "==",
    mode: mode === "disable" ? "disable" : "hide",
  };
}

/** An unknown operator hides nothing. */
export function isRuleMet({ watch, operator, value }: VisibilityRule, values: JsonObject): boolean {
  const actual = (Object.hasOwn(values, watch) ? values[watch] : undefined) ?? null;
  const listed = Array.isArray(value) ? value : [value];
  switch (operator) {
    case "==":
    case "in":
      return listed.some((one) => isSame(actual, one));
    case "!=":
    case "not_in":
      return !listed.some((one) => isSame(actual, one));
    case ">":
      return Number(actual) > Number(value);
    case "<":
      return Number(actual) < Number(value);
    case ">=":
      return Number(actual) >= Number(value);
    case "<=":
      return Number(actual) <= Number(value);
    case "empty":
      return isEmpty(actual);
    case "not_empty":
      return !isEmpty(actual);
    default:
      return true;
  }
}

/** As forms compare: by what is written. A list has each of its entries, and no value is false. */
function isSame(actual: Json, wanted: Json): boolean {
  if (Array.isArray(actual)) return actual.some((one) => isSame(one, wanted));
  if (typeof wanted === "boolean" || typeof actual === "boolean") return isYes(actual) === isYes(wanted);
  return written(actual) === written(wanted);
}

function isYes(value: Json): boolean {
  return value === true || value === 1 || value === "1" || value === "true" || value === "yes";
}

function written(value: Json): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}

function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === "" || value === false || (isJsonObject(value) && Object.keys(value).length === 0);
}
