// The parameter `filter`: conditions, joined by groups. As brackets (`filter[or][0][status]=a`), as JSON text, or as a JSON
// value. All conditions of one group must hold; `or`, `and` and `not` hold groups. Knows no schema: the caller makes
// something of each condition and each group, for collections a selection, for data views a test.

import { type FilterOperator, filterOperators } from "#contract/queries.ts";
import { checkText, refuse, shown } from "./parameters.ts";

const maxDepth = 4;
const maxGroups = 64;
const parameter = "filter";

/** What one condition is compared with. */
export interface AskedValue {
  /** Several only for `in` and `notin`. */
  texts: string[];
  /** Each is one value as it stands; otherwise bars separate several. */
  isList: boolean;
}

export interface Maker<T> {
  test(name: string, operator: FilterOperator, value: AskedValue): T;
  all(parts: T[]): T;
  any(parts: T[]): T;
  not(part: T): T;
  /** A property may be called as a group is. */
  isProperty(name: string): boolean;
}

/** The parts of a filter, all of which must hold; none when nothing is asked. */
export function readGroups<T>(filter: unknown, maker: Maker<T>): T[] {
  const root = parsed(filter);
  if (root === undefined) return [];
  if (!isNested(root))
    refuse(parameter, 'filter is written filter[property]=value, or as JSON: filter={"property":"value"}.');
  return new Reader(maker).group(root, 0);
}

function parsed(filter: unknown): unknown {
  if (filter === undefined || filter === null || filter === "") return undefined;
  if (typeof filter !== "string" || !filter.trimStart().startsWith("{")) return filter;
  try {
    return JSON.parse(filter);
  } catch {
    return refuse(parameter, "filter is not valid JSON.");
  }
}

/** `filter` as text that is JSON, where it is an alias of something else otherwise. */
export function isFilterText(filter: unknown): boolean {
  return typeof filter === "string" && filter.trimStart().startsWith("{");
}

export function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isOperator(word: string): word is FilterOperator {
  return (filterOperators as readonly string[]).includes(word);
}

type Word = "or" | "and" | "not";

class Reader<T> {
  #groups = 0;
  readonly #maker: Maker<T>;

  constructor(maker: Maker<T>) {
    this.#maker = maker;
  }

  group(group: Record<string, unknown>, depth: number): T[] {
    return Object.entries(group).flatMap(([name, asked]) =>
      this.#isGroup(name, asked) ? [this.#joined(name, asked, depth + 1)] : this.#tests(name, asked),
    );
  }

  #isGroup(name: string, asked: unknown): name is Word {
    if (name !== "or" && name !== "and" && name !== "not") return false;
    const isTested = isNested(asked) ? Object.keys(asked).every(isOperator) : !Array.isArray(asked);
    return !(isTested && this.#maker.isProperty(name));
  }

  #joined(word: Word, asked: unknown, depth: number): T {
    if (depth > maxDepth) refuse(parameter, `Groups may be nested to a depth of ${maxDepth}.`);
    const { all, any, not } = this.#maker;
    if (word === "not") return not(all(this.#part(word, asked, depth)));
    const parts = listOf(word, asked).map((part) => all(this.#part(word, part, depth)));
    return word === "or" ? any(parts) : all(parts);
  }

  #part(word: Word, part: unknown, depth: number): T[] {
    this.#groups++;
    if (this.#groups > maxGroups) refuse(parameter, `At most ${maxGroups} groups can be combined.`);
    const parts = isNested(part) ? this.group(part, depth) : [];
    return parts.length > 0 ? parts : refuse(parameter, `Each group of ${word} needs at least one condition.`);
  }

  #tests(name: string, asked: unknown): T[] {
    if (!isNested(asked)) return [this.#maker.test(name, "eq", askedValue(name, "eq", asked))];
    const tests = Object.entries(asked).map(([operator, value]) => {
      if (!isOperator(operator)) refuseOperator(operator);
      return this.#maker.test(name, operator, askedValue(name, operator, value));
    });
    return tests.length > 0 ? tests : refuse(parameter, `Nothing is asked of ${shown(name)}.`);
  }
}

/** A JSON list, or groups by number as brackets write them. */
function listOf(word: Word, asked: unknown): unknown[] {
  const isNumbered = isNested(asked) && Object.keys(asked).every((key) => /^\d+$/.test(key));
  const parts = isNumbered ? Object.values(asked) : asked;
  if (!Array.isArray(parts))
    refuse(
      parameter,
      `${word} takes numbered groups, filter[${word}][0][property]=value, or a list in JSON, {"${word}":[{...}]}.`,
    );
  return parts.length > 0 ? parts : refuse(parameter, `${word} needs at least one group.`);
}

function refuseOperator(operator: string): never {
  refuse(
    parameter,
    `There is no operator ${shown(operator)}. Operators are ${filterOperators.join(", ")}; ` +
      "a property of a card or deck is written card.property.",
  );
}

function askedValue(name: string, operator: FilterOperator, value: unknown): AskedValue {
  const isList = Array.isArray(value);
  const takesSeveral = operator === "in" || operator === "notin";
  if (isList && !takesSeveral)
    refuse(parameter, `${operator} takes one value for ${shown(name)}. For one of several, use the operator in.`);
  if (isList && value.length === 0) refuse(parameter, `${operator} takes at least one value for ${shown(name)}.`);
  return { texts: (isList ? value : [value]).map((each) => textOf(name, each)), isList };
}

function textOf(name: string, value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null)
    refuse(parameter, `null cannot be compared with ${shown(name)}. For a missing value, use the operator empty.`);
  return checkText(parameter, value);
}
