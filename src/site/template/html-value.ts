// Text that is markup already and is printed as it is. Everything else that a template prints is escaped.
// The library sees a text in it, so that filters take it as one; what they make of it is text again, and is escaped.

import type * as LiquidJs from "liquidjs";
import { lazily } from "#base/lazy.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

export interface HtmlValue {
  /** As it is printed. */
  markup(): string;
  /** As it is stored. */
  valueOf(): string;
}

/** Made once the library is there: its classes are needed. */
function makeClasses() {
  const { Drop } = liquidjs();

  class Printed extends Drop implements HtmlValue {
    readonly #text: string;
    readonly #clean: (text: string) => string;
    #markup: string | undefined;

    constructor(text: string, clean: (text: string) => string) {
      super();
      this.#text = text;
      this.#clean = clean;
    }

    markup(): string {
      this.#markup ??= this.#clean(this.#text);
      return this.#markup;
    }

    valueOf(): string {
      return this.#text;
    }

    override toString(): string {
      return this.#text;
    }

    toJSON(): string {
      return this.#text;
    }

    /** Properties are read from the text, never from this object. */
    toLiquid(): string {
      return this.#text;
    }
  }

  /** JSON for scripts; in HTML it is escaped like any text. */
  class PrintedJson extends Printed {}

  return { Printed, PrintedJson };
}

let classes: ReturnType<typeof makeClasses> | undefined;

function loaded(): ReturnType<typeof makeClasses> {
  classes ??= makeClasses();
  return classes;
}

const asIs = (text: string) => text;

/** Markup that the caller has made of escaped parts. */
export function markup(text: string): HtmlValue {
  return new (loaded().Printed)(text, asIs);
}

/** Markup of editors: cleaned when it is printed. */
export function storedMarkup(text: string, clean: (text: string) => string): HtmlValue {
  return new (loaded().Printed)(text, clean);
}

export function jsonValue(text: string): HtmlValue {
  return new (loaded().PrintedJson)(text, asIs);
}

export function isMarkup(value: unknown): value is HtmlValue {
  const { Printed, PrintedJson } = loaded();
  return value instanceof Printed && !(value instanceof PrintedJson);
}

export function isJsonValue(value: unknown): value is HtmlValue {
  return value instanceof loaded().PrintedJson;
}

/** As the library would print it; what cannot be printed is nothing. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(textOf).join("");
  if (value instanceof liquidjs().Drop) {
    const plain = value.valueOf();
    return plain === value ? "" : textOf(plain);
  }
  return "";
}
