// Lists and data: choosing, grouping, adding up, JSON and CSV.

import { csvRow } from "#base/csv.ts";
import type { Json } from "#contract/json.ts";
import { registerFilter } from "#site/template/define.ts";
import { jsonValue, textOf } from "#site/template/html-value.ts";
import { countMade, type Rendering } from "#site/template/rendering.ts";
import { findObjectMeta } from "#site/template/values.ts";

const maxList = 10_000;
const maxJsonDepth = 20;

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  if (list.length > maxList) throw new Error(`${name} takes lists of at most ${maxList} elements`);
  return list;
}

/** `a.b` of an element; own properties alone. */
export function readPath(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** Equal as a person reads it. */
function keyOf(value: unknown): string {
  return findObjectMeta(value)?.recorded.id ?? textOf(value);
}

/** `{{ walks | where_any: "region", "north,south" }}`: a value, or an element of a list, is one of these. */
registerFilter("where_any", (value, [path, wanted]) => {
  const choices = new Set(
    (Array.isArray(wanted) ? wanted.map(keyOf) : textOf(wanted).split(",")).map((one) => one.trim()),
  );
  return listIn(value, "where_any").filter((item) => {
    const found = readPath(item, textOf(path));
    return (Array.isArray(found) ? found : [found]).some((one) => choices.has(keyOf(one)));
  });
});

interface Group {
  name: unknown;
  items: unknown[];
}

/** Groups in the order in which they first occur: `name` and `items`. */
registerFilter("group_by", (value, [path]) => {
  const groups = new Map<string, Group>();
  for (const item of listIn(value, "group_by")) {
    const found = readPath(item, textOf(path));
    for (const name of Array.isArray(found) ? found : [found]) {
      const group: Group = groups.get(keyOf(name)) ?? { name: name ?? "", items: [] };
      group.items.push(item);
      groups.set(keyOf(name), group);
    }
  }
  return [...groups.values()].map((group) =>
    Object.assign(Object.create(null), { ...group, size: group.items.length }),
  );
});

/** `{{ people | key_by: "id" }}`: an element by its value. */
registerFilter("key_by", (value, [path]) => {
  const byKey = Object.create(null) as Record<string, unknown>;
  for (const item of listIn(value, "key_by")) byKey[keyOf(readPath(item, textOf(path) || "id"))] = item;
  return byKey;
});

function numbersIn(value: unknown, path: unknown, name: string): number[] {
  return listIn(value, name)
    .map((item) => Number(textOf(path === undefined ? item : readPath(item, textOf(path)))))
    .filter((number) => Number.isFinite(number));
}

registerFilter("sum", (value, [path]) => numbersIn(value, path, "sum").reduce((sum, one) => sum + one, 0));

registerFilter("avg", (value, [path]) => {
  const numbers = numbersIn(value, path, "avg");
  return numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
});

registerFilter("json", (value, [space], { rendering }) => {
  const text = toJson(rendering, value, Number(textOf(space)) || 0);
  return rendering.isMarkup ? jsonValue(text) : text;
});

/** Also inside of a script no text can end it. */
export function toJson(rendering: Rendering, value: unknown, space = 0): string {
  listIn(value, "json");
  const text = JSON.stringify(plainJson(rendering, value, 0), undefined, Math.min(space, 8)) ?? "null";
  countMade(rendering, text.length);
  return text.replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The plain value of anything that a template has. */
export function plainJson(rendering: Rendering, value: unknown, depth: number): Json {
  if (depth > maxJsonDepth) throw new Error(`json takes values of at most ${maxJsonDepth} levels`);
  if (value === undefined || value === null) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((item) => plainJson(rendering, item, depth + 1));
  if (typeof value !== "object") return null;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return toJSON.call(value) as Json;
  const plain: unknown = typeof value.valueOf === "function" ? value.valueOf() : value;
  if (plain !== value) return plainJson(rendering, plain, depth + 1);
  countMade(rendering, 1);
  const keys = Object.keys(value);
  return Object.fromEntries(
    keys.map((name) => [name, plainJson(rendering, (value as Record<string, unknown>)[name], depth + 1)]),
  );
}

/** A list of lists or objects as rows; a single value as one field. */
registerFilter("csv", (value, [columns]) => {
  const list = listIn(value, "csv");
  const names = textOf(columns)
    .split(",")
    .map((name) => name.trim());
  const hasNames = columns !== undefined;
  const rows = list.map((item) => {
    if (hasNames) return names.map((name) => readPath(item, name));
    return Array.isArray(item) ? item : typeof item === "object" && item !== null ? Object.values(item) : [item];
  });
  const text = rows.map((row) => csvRow(row.map((field) => textOf(field)))).join("");
  const head = hasNames ? csvRow(names) : "";
  return Array.isArray(value) ? head + text : text.replace(/\r?\n$/, "");
});

/** While a site is built: what a value is. */
registerFilter("debug", (value, _args, { rendering }) => {
  if (!rendering.isDevelopment) return "";
  return JSON.stringify(plainJson(rendering, value, 0), undefined, 2) ?? "nil";
});
