// One condition: an operator and the caller's text become a typed comparison.
// A value that the property could never have matches nothing: include finds nothing, exclude removes nothing.

import { foldCase } from "#base/text.ts";
import type { FilterOperator } from "#contract/queries.ts";
import { parseDate } from "#schemas/fields/date.ts";
import type { Comparison, Condition, Operand, Operator } from "#storage/query/selection.ts";
import { idOperand } from "./operands.ts";
import { refuse } from "./parameters.ts";

export interface Conditions {
  include: Condition[];
  exclude: Condition[];
}

export interface Test {
  /** undefined: a kind that cannot be compared. */
  operand: Operand | undefined;
  operator: FilterOperator;
  text: string;
}

type Value = Condition["values"][number];

const forText: readonly FilterOperator[] = ["eq", "ne", "contains", "starts", "ends", "in", "notin"];
const forOrder: readonly FilterOperator[] = ["eq", "ne", "lt", "lte", "gt", "gte", "in", "notin"];
const operatorsOf: Record<Comparison, readonly FilterOperator[]> = {
  presence: [],
  text: forText,
  list: forText,
  number: forOrder,
  date: forOrder,
  boolean: ["eq", "ne", "in", "notin"],
};

/** Whether there is a value at all: every kind can be tested for that. */
export function emptyCondition(parameter: string, operand: Operand, text: string): Condition {
  return { operand, operator: "empty", values: [readEmpty(parameter, text)] };
}

/** The value of the operator `empty`. */
export function readEmpty(parameter: string, text: string): boolean {
  if (text !== "true" && text !== "false") refuse(parameter, "The operator empty takes true or false.");
  return text === "true";
}

export const never: Condition = { operand: idOperand, operator: "never", values: [] };

export function addCondition(conditions: Conditions, side: keyof Conditions, test: Test): void {
  const { operand, operator, text } = test;
  const day = operand?.comparison === "date" && operator !== "in" && operator !== "notin" ? findDay(text) : undefined;
  const condition = findCondition(test);
  if (operand && day) addDay(conditions, side, { operand, operator, day });
  else if (condition) conditions[side].push(condition);
  else if (side === "include") conditions.include.push(never);
}

/** undefined: it can hold for no object. */
function findCondition({ operand, operator, text }: Test): Condition | undefined {
  if (!operand || !operatorsOf[operand.comparison].includes(operator)) return undefined;
  const texts = operator === "in" || operator === "notin" ? text.split("|") : [text];
  const values = texts.flatMap((part) => parseValue(operand.comparison, part) ?? []);
  const [first] = values;
  if (first === undefined) return undefined;
  const isEquality = operator === "eq" || operator === "ne";
  return isEquality && typeof first === "string" ? wildcard(operand, operator, first) : { operand, operator, values };
}

const open: Record<"eq" | "ne", Record<"both" | "left" | "right", Operator>> = {
  eq: { both: "contains", left: "ends", right: "starts" },
  ne: { both: "notcontains", left: "notends", right: "notstarts" },
};

/** `x*`, `*x` and `*x*`; dates hold no asterisk. */
function wildcard(operand: Operand, operator: "eq" | "ne", value: string): Condition {
  const isOpenLeft = value.length > 1 && value.startsWith("*");
  const isOpenRight = value.endsWith("*");
  const rest = [value.slice(isOpenLeft ? 1 : 0, isOpenRight ? -1 : undefined)];
  if (!isOpenLeft && !isOpenRight) return { operand, operator, values: rest };
  return { operand, operator: open[operator][isOpenLeft ? (isOpenRight ? "both" : "left") : "right"], values: rest };
}

interface Day {
  start: string;
  /** The start of the next day. */
  end: string;
}

/** A bare date means the whole day (UTC): equal is within it, later is after its end. */
function addDay(
  conditions: Conditions,
  side: keyof Conditions,
  { operand, operator, day }: { operand: Operand; operator: FilterOperator; day: Day },
): void {
  const from = (start: string): Condition => ({ operand, operator: "gte", values: [start] });
  const before = (end: string): Condition => ({ operand, operator: "lt", values: [end] });
  const within: Condition = { operand, operator: "starts", values: [day.start.slice(0, 10)] };
  const { include, exclude } = conditions;
  if (operator === "lt") conditions[side].push(before(day.start));
  else if (operator === "lte") conditions[side].push(before(day.end));
  else if (operator === "gt") conditions[side].push(from(day.end));
  else if (operator === "gte") conditions[side].push(from(day.start));
  else if (operator === "eq" && side === "include") include.push(from(day.start), before(day.end));
  else if (operator === "eq") exclude.push(within);
  // Conditions of exclude are joined by or, so "not that day" is a pair there; in include it needs a value to differ.
  else if (side === "exclude") exclude.push(before(day.start), from(day.end));
  else {
    include.push({ operand, operator: "ne", values: [""] });
    exclude.push(within);
  }
}

function parseValue(comparison: Comparison, text: string): Value | undefined {
  if (comparison === "number") return parseNumber(text);
  if (comparison === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (comparison === "date") return parseInstant(text);
  return foldCase(text);
}

function parseNumber(text: string): number | undefined {
  const isNumeric = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);
  const number = Number(text);
  return isNumeric && Number.isFinite(number) ? number : undefined;
}

function findDay(text: string): Day | undefined {
  const start = /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text) ? parseInstant(text) : undefined;
  return start === undefined ? undefined : { start, end: new Date(Date.parse(start) + 86_400_000).toISOString() };
}

/** Only what is written out: a word such as "now" would mean another time when the answer is asked for again. */
function parseInstant(text: string): string | undefined {
  return /^\s*\d/.test(text) ? parseDate(text, "") : undefined;
}
