// One condition: an operator and the caller's texts become a typed comparison.
// What cannot be compared is refused, naming the parameter: an empty answer would not show a mistake.

import { foldCase } from "#base/text.ts";
import type { FilterOperator } from "#contract/queries.ts";
import { parseDate } from "#schemas/fields/date.ts";
import type { Comparison, Condition, Filter, Operand, Operator } from "#storage/query/selection.ts";
import type { AskedValue } from "./filter-groups.ts";
import { idOperand } from "./operands.ts";
import { refuse, shown } from "./parameters.ts";
import { parseRelativeDate } from "./relative-dates.ts";

export interface Test {
  operand: Operand;
  operator: FilterOperator;
  value: AskedValue;
  /** For the errors. */
  name: string;
  parameter: string;
  /** Texts of a fixed choice, when the property has one. */
  choices?: readonly string[] | undefined;
  /** The time that dates relative to now count from; undefined: there are none. */
  now: (() => string) | undefined;
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
const words: Record<Comparison, string> = {
  presence: "a value without order",
  text: "text",
  list: "a list",
  number: "a number",
  date: "a date",
  boolean: "true or false",
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

export function filterOf(test: Test): Filter {
  const { operand, operator, name, parameter } = test;
  const takes = operatorsOf[operand.comparison];
  if (!takes.includes(operator)) {
    const message = `The property ${shown(name)} is ${words[operand.comparison]}: the operator ${operator} does not apply.`;
    refuse(parameter, `${message} Use one of ${[...takes, "empty"].join(", ")}.`);
  }
  const texts = textsOf(test);
  const day = operand.comparison === "date" && !isOneOf(operator) ? findDay(texts[0] ?? "") : undefined;
  if (day) return dayFilter(operand, operator, day);
  const values = texts.map((text) => parseValue(test, text));
  const [first] = values;
  const isEquality = operator === "eq" || operator === "ne";
  if (isEquality && typeof first === "string") return wildcard(operand, operator, first);
  return { operand, operator, values };
}

function isOneOf(operator: FilterOperator): boolean {
  return operator === "in" || operator === "notin";
}

function textsOf(test: Test): string[] {
  const { texts, isList } = test.value;
  if (!isOneOf(test.operator) || isList) return texts;
  const parts = texts.flatMap((text) => text.split("|"));
  const [only = ""] = parts;
  if (parts.length === 1 && isCommaList(test, only)) refuseCommas(test, only);
  return parts;
}

/** Several values of a choice with commas between them, and no value of its own. */
function isCommaList({ choices }: Test, text: string): boolean {
  const parts = text.split(",").map((part) => part.trim());
  return (
    parts.length > 1 &&
    choices !== undefined &&
    !choices.includes(text) &&
    parts.every((part) => choices.includes(part))
  );
}

function refuseCommas({ parameter, operator, name }: Test, text: string): never {
  const advice = "Write several values as a|b, or repeat the parameter.";
  refuse(parameter, `${operator} takes ${shown(text)} as one value of ${shown(name)}. ${advice}`);
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
function dayFilter(operand: Operand, operator: FilterOperator, { start, end }: Day): Filter {
  const from = (time: string): Condition => ({ operand, operator: "gte", values: [time] });
  const before = (time: string): Condition => ({ operand, operator: "lt", values: [time] });
  if (operator === "lt") return before(start);
  if (operator === "lte") return before(end);
  if (operator === "gt") return from(end);
  if (operator === "gte") return from(start);
  const date = start.slice(0, 10);
  if (operator === "ne") return { operand, operator: "notstarts", values: [date] };
  // Two conditions could hold for two items of a deck; one cannot. Elsewhere an index finds the range.
  return operand.within ? { operand, operator: "starts", values: [date] } : { all: [from(start), before(end)] };
}

function parseValue(test: Test, text: string): Value {
  const { operand, name, parameter, operator } = test;
  const { comparison } = operand;
  const value = readValue(test, text);
  if (value !== undefined) return value;
  const several =
    isOneOf(operator) && text.includes(",") ? " Write several values as a|b, or repeat the parameter." : "";
  return refuse(
    parameter,
    `The property ${shown(name)} is ${words[comparison]}: ${shown(text)} cannot be compared with it.${several}`,
  );
}

function readValue({ operand: { comparison }, now, parameter }: Test, text: string): Value | undefined {
  if (comparison === "number") return parseNumber(text);
  if (comparison === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (comparison !== "date") return foldCase(text);
  if (!text.trimStart().startsWith("now")) return parseInstant(text);
  if (now === undefined) refuse(parameter, "Dates relative to now cannot be used here: the answer is kept.");
  return parseRelativeDate(text, new Date(now()));
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

/** Only what is written out, and `now` with a distance: other words of dates are for writing. */
function parseInstant(text: string): string | undefined {
  return /^\s*\d/.test(text) ? parseDate(text, "") : undefined;
}
