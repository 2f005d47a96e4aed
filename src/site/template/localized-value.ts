// A text in several languages: printed in the language of the page, and readable by language.

import type * as LiquidJs from "liquidjs";
import { lazily } from "#base/lazy.ts";
import type { JsonObject } from "#contract/json.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

/** The exact language, else one with the same first part, else the first text. */
export function pickLanguage(texts: JsonObject, locale: string): string {
  const exact = texts[locale];
  if (typeof exact === "string" && exact !== "") return exact;
  const language = locale.split(/[-_]/)[0] ?? "";
  const entries = Object.entries(texts).filter(([, text]) => typeof text === "string" && text !== "");
  const near = entries.find(([name]) => name.split(/[-_]/)[0] === language) ?? entries[0];
  return near === undefined ? "" : (near[1] as string);
}

function makeClass() {
  return class LocalizedValue extends liquidjs().Drop {
    readonly #texts: JsonObject;
    readonly #locale: string;

    constructor(texts: JsonObject, locale: string) {
      super();
      this.#texts = texts;
      this.#locale = locale;
    }

    valueOf(): string {
      return pickLanguage(this.#texts, this.#locale);
    }

    /** Properties are the languages. */
    toLiquid(): JsonObject {
      return this.#texts;
    }

    toJSON(): JsonObject {
      return this.#texts;
    }

    in(locale: string): string {
      return pickLanguage(this.#texts, locale);
    }
  };
}

let made: ReturnType<typeof makeClass> | undefined;

export function localizedValue(texts: JsonObject, locale: string): object {
  made ??= makeClass();
  return new made(texts, locale);
}

export function findLanguage(value: unknown, locale: string): string | undefined {
  return made !== undefined && value instanceof made ? value.in(locale) : undefined;
}
