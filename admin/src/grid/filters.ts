// Which conditions a property can be tested for, by its type, and how they are written. Pure.

import type { PropertyType } from "@contract/schemas.ts";
import type { Filter } from "./address.ts";

export const conditions = [
  "contains",
  "startsWith",
  "endsWith",
  "is",
  "isNot",
  "before",
  "after",
  "less",
  "more",
  "from",
  "until",
  "between",
  "oneOf",
  "noneOf",
  "isEmpty",
  "isNotEmpty",
] as const;
export type Condition = (typeof conditions)[number];

/** How values of a type compare. */
export type Comparison = "text" | "number" | "date" | "boolean" | "list" | "presence";

const comparisons: Partial<Record<PropertyType, Comparison>> = {
  string: "text",
  slug: "text",
  email: "text",
  phone: "text",
  url: "text",
  time: "text",
  code: "text",
  number: "number",
  integer: "number",
  date: "date",
  boolean: "boolean",
  list: "list",
  array: "list",
};

export function comparisonOf(type: PropertyType): Comparison {
  return comparisons[type] ?? "presence";
}

const emptiness: Condition[] = ["isEmpty", "isNotEmpty"];
/** The first one is offered first. */
const offered: Record<Comparison, readonly Condition[]> = {
  text: ["contains", "is", "isNot", "oneOf", ...emptiness],
  number: ["is", "isNot", "more", "less", "between", ...emptiness],
  date: ["is", "before", "after", "between", ...emptiness],
  boolean: ["is", ...emptiness],
  list: ["is", "isNot", "contains", "oneOf", ...emptiness],
  presence: emptiness,
};

/** `hasChoices`: the schema lists the values, so that one of them is chosen rather than a part of one typed. */
export function conditionsFor(type: PropertyType, hasChoices = false): readonly Condition[] {
  const comparison = comparisonOf(type);
  return hasChoices && comparison === "text" ? ["is", "isNot", "oneOf", "contains", ...emptiness] : offered[comparison];
}

/** id, created and modified always have a value. */
export function isNeverEmpty(property: string): boolean {
  return property === "id" || property === "created" || property === "modified";
}

export function takesValue(condition: Condition): boolean {
  return condition !== "isEmpty" && condition !== "isNotEmpty";
}

const operators: Record<Exclude<Condition, "isEmpty" | "isNotEmpty">, Filter["operator"]> = {
  contains: "contains",
  startsWith: "starts",
  endsWith: "ends",
  is: "eq",
  isNot: "ne",
  before: "lt",
  after: "gt",
  less: "lt",
  more: "gt",
  from: "gte",
  until: "lte",
  between: "between",
  oneOf: "in",
  noneOf: "notin",
};

export interface Test {
  condition: Condition;
  value: string;
  to?: string;
}

export function filterOf(property: string, { condition, value, to }: Test): Filter {
  if (condition === "isEmpty" || condition === "isNotEmpty")
    return { property, operator: "empty", value: String(condition === "isEmpty") };
  const operator = operators[condition];
  return { property, operator, value, ...(operator === "between" && { to: to ?? "" }) };
}

/** The inverse, in the words of the type: `lt` is "before" of a date and "less than" of a number. */
export function conditionOf({ operator, value }: Filter, type: PropertyType): Condition {
  if (operator === "empty") return value === "false" ? "isNotEmpty" : "isEmpty";
  const isDate = comparisonOf(type) === "date";
  if (operator === "lt") return isDate ? "before" : "less";
  if (operator === "gt") return isDate ? "after" : "more";
  const names = Object.entries(operators) as [Condition, Filter["operator"]][];
  return names.find(([, candidate]) => candidate === operator)?.[0] ?? "is";
}

/** Whether there is enough to apply. */
export function isComplete({ condition, value, to = "" }: Test): boolean {
  if (!takesValue(condition)) return true;
  return value !== "" && (condition !== "between" || to !== "");
}
