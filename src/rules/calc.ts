// Computed numbers: `round(sum(${items.price}) * 1.2, 2)`. A small language, parsed once; nothing is ever evaluated
// as code. Missing and non-numeric values count as 0, and so does a division by zero.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

/** A property may have several numbers (a deck's column): only functions take those. */
type Expression = (values: JsonObject) => number[];

const maxLength = 1_000;
const maxDepth = 50;
/** Characters of a text that is read as a number. */
const maxNumeral = 2_000;
/** Expressions that are kept compiled. */
const maxCompiled = 500;

const compiled = new Map<string, Expression | "broken">();

export function isCalculable(source: string): boolean {
  return compile(source) !== "broken";
}

/** undefined: the expression is invalid, or has no finite result. */
export function calculate(source: string, values: JsonObject): number | undefined {
  let expression = compiled.get(source);
  if (!expression) {
    expression = compile(source);
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(source, expression);
  }
  if (expression === "broken") return undefined;
  const results = expression(values);
  const result = results.length === 1 ? results[0] : undefined;
  // 15 digits are exact; further ones are noise of binary fractions.
  return Number.isFinite(result) ? Number((result as number).toPrecision(15)) + 0 : undefined;
}

const functions: Record<string, (numbers: number[]) => number> = {
  round: ([x = 0, digits = 0]) => roundTo(x, digits),
  floor: ([x = 0]) => Math.floor(x),
  ceil: ([x = 0]) => Math.ceil(x),
  abs: ([x = 0]) => Math.abs(x),
  min: (numbers) => numbers.reduce((least, x) => Math.min(least, x), numbers[0] ?? 0),
  max: (numbers) => numbers.reduce((most, x) => Math.max(most, x), numbers[0] ?? 0),
  sum: add,
  avg: (numbers) => (numbers.length > 0 ? add(numbers) / numbers.length : 0),
  count: (numbers) => numbers.length,
};

function add(numbers: number[]): number {
  return numbers.reduce((total, x) => total + x, 0);
}

/** By shifting the decimal point, so that 1.005 with two digits is 1.01. */
function roundTo(x: number, digits: number): number {
  const places = Math.max(0, Math.min(10, Math.trunc(digits)));
  const shifted = Number(`${Math.abs(x)}e${places}`);
  if (!Number.isFinite(shifted)) return x;
  return Math.sign(x) * Number(`${Math.round(shifted)}e-${places}`);
}

function compile(source: string): Expression | "broken" {
  const tokens = source.length <= maxLength ? tokenize(source) : undefined;
  if (!tokens) return "broken";
  try {
    return parse(tokens);
  } catch {
    return "broken";
  }
}

function tokenize(source: string): string[] | undefined {
  const tokens = source.match(/\$\{[^{}]*\}|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+|[a-z]+|[-+*/%(),]|\S/gi) ?? [];
  return tokens.length > 0 ? tokens : undefined;
}

/** Recursive descent: sum -> product -> sign -> number, property, function, parentheses. Throws on a syntax error. */
function parse(tokens: string[]): Expression {
  let at = 0;
  let depth = 0;

  const take = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  };
  const expect = (token: string): void => {
    if (!take(token)) throw new SyntaxError(`expected ${token}`);
  };

  function sum(): Expression {
    if (++depth > maxDepth) throw new SyntaxError("too deep");
    let left = product();
    for (let token = tokens[at]; token === "+" || token === "-"; token = tokens[at]) {
      at++;
      left = binary(token, left, product());
    }
    depth--;
    return left;
  }

  function product(): Expression {
    let left = signed();
    for (let token = tokens[at]; token === "*" || token === "/" || token === "%"; token = tokens[at]) {
      at++;
      left = binary(token, left, signed());
    }
    return left;
  }

  function signed(): Expression {
    let isNegative = false;
    while (tokens[at] === "-" || tokens[at] === "+") if (tokens[at++] === "-") isNegative = !isNegative;
    const operand = primary();
    return isNegative ? (values) => [-single(operand(values))] : operand;
  }

  function primary(): Expression {
    const token = tokens[at++] ?? "";
    if (token === "(") {
      const inner = sum();
      expect(")");
      return inner;
    }
    if (/^[\d.]/.test(token)) {
      const number = Number(token);
      if (Number.isNaN(number)) throw new SyntaxError("not a number");
      return () => [number];
    }
    if (token.startsWith("${")) {
      const path = token.slice(2, -1).trim().split(".");
      return (values) => numbersAt(values, path);
    }
    const apply = Object.hasOwn(functions, token.toLowerCase()) ? functions[token.toLowerCase()] : undefined;
    if (!apply) throw new SyntaxError(`unknown word ${token}`);
    expect("(");
    const list: Expression[] = [];
    if (!take(")")) {
      do list.push(sum());
      while (take(","));
      expect(")");
    }
    return (values) => [apply(list.flatMap((argument) => argument(values)))];
  }

  const whole = sum();
  if (at < tokens.length) throw new SyntaxError("more than one expression");
  return whole;
}

function binary(operator: string, left: Expression, right: Expression): Expression {
  return (values) => [operate(operator, single(left(values)), single(right(values)))];
}

function operate(operator: string, a: number, b: number): number {
  if (operator === "+") return a + b;
  if (operator === "-") return a - b;
  if (operator === "*") return a * b;
  if (b === 0) return 0;
  return operator === "/" ? a / b : a % b;
}

/** NaN makes the whole result invalid: a column is not an operand. */
function single(numbers: number[]): number {
  return numbers.length === 0 ? 0 : numbers.length === 1 ? (numbers[0] as number) : Number.NaN;
}

function numbersAt(value: Json | undefined, path: string[]): number[] {
  if (Array.isArray(value)) return value.flatMap((entry) => numbersAt(entry, path));
  const [name, ...rest] = path;
  if (name === undefined) return [toNumber(value)];
  // A deck that is not there has no items.
  if (value === undefined || value === null) return [];
  return numbersAt(isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined, rest);
}

function toNumber(value: Json | undefined): number {
  if (typeof value === "number") return value;
  if (
    typeof value !== "string" ||
    value.length > maxNumeral ||
    !/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)
  )
    return 0;
  return Number(value);
}
