// Languages of a text: which ones there are, what they are called, and which one is shown. Pure, but for the choice.

import { isJsonObject } from "@contract/json.ts";
import { useCallback, useState, useSyncExternalStore } from "react";
import type { FieldValue } from "#fields/field-kind.ts";

/** Those of the site, then those that the value has besides; `en` where there is none. */
export function localesOf(site: readonly string[], value: FieldValue): string[] {
  const own = isJsonObject(value) ? Object.keys(value) : [];
  const all = [...new Set([...site, ...own])];
  return all.length === 0 ? ["en"] : all;
}

/** As browsers write it: `de_DE` is `de-DE`. */
export const tagOf = (locale: string) => locale.replace("_", "-");

/** By its own name, as it begins a line: "Deutsch". */
export function nameOf(locale: string): string {
  try {
    const tag = tagOf(locale);
    const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? locale;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return locale;
  }
}

const rightToLeft = new Set(["ar", "fa", "he", "ur", "ps", "sd", "ug", "yi", "dv", "ckb", "ku"]);

export function directionOf(locale: string): "ltr" | "rtl" {
  const [language = ""] = locale.split("_");
  return rightToLeft.has(language) ? "rtl" : "ltr";
}

let shared = "";
const listeners = new Set<() => void>();

function choose(locale: string): void {
  shared = locale;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The language that a field shows. All fields switch together, but for those that are not synchronous. */
export function useLocale(locales: readonly string[], isShared: boolean): [string, (locale: string) => void] {
  const together = useSyncExternalStore(subscribe, () => shared);
  const [alone, setAlone] = useState("");
  const wanted = isShared ? together : alone;
  const set = useCallback((next: string) => (isShared ? choose(next) : setAlone(next)), [isShared]);
  return [locales.includes(wanted) ? wanted : (locales[0] as string), set];
}
