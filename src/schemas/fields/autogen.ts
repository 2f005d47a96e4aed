// Values made from a template: `${title}-${uid}`. Variables of the service first, else properties of the body.

import { slug, uid, uuid } from "#base/ids.ts";
import type { JsonObject } from "#contract/json.ts";

export interface Autogen {
  /** ISO time. */
  now: string;
  /** The number of the object in its collection; deck items have none. */
  counter?: number;
}

/** Characters of a property that go into a generated value, and into a generated id, which is short. */
const maxPart = { ofValue: 10_000, ofId: 500 };

export function generate(
  template: string,
  values: JsonObject,
  autogen: Autogen,
  longest: number = maxPart.ofValue,
): string {
  return template.replace(/\$\{([^{}]*)\}/g, (_, name: string) =>
    variable(name.trim(), values, autogen).slice(0, longest),
  );
}

/** A generated id: `snakeCase` joins words with underscores. */
export function generateId(template: string, values: JsonObject, autogen: Autogen & { isSnakeCase?: boolean }): string {
  return slug(generate(template, values, autogen, maxPart.ofId), autogen.isSnakeCase ? "_" : "-");
}

function variable(name: string, values: JsonObject, { now, counter }: Autogen): string {
  switch (name) {
    case "now":
      return String(Date.parse(now));
    case "timestamp":
      return now.slice(0, 19).replace(/[-:]/g, "");
    case "uuid":
      return uuid();
    case "uid":
      return uid(7);
    case "oid":
      return counter === undefined ? "" : String(counter);
    case "currentyear":
      return now.slice(0, 4);
    case "currentyear2":
      return now.slice(2, 4);
    case "currentmonth":
      return now.slice(5, 7);
    case "currentday":
      return now.slice(8, 10);
  }
  const digits = /^oid-(0+)$/.exec(name)?.[1];
  if (digits) return counter === undefined ? "" : String(counter).padStart(digits.length, "0");
  const length = Number(/^uid-(\d{1,3})$/.exec(name)?.[1] ?? 0);
  if (length > 0) return uid(length);
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
