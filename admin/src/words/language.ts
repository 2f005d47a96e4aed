// Which language the admin speaks, and how an area of sentences is found in it.

import { use, useSyncExternalStore } from "react";

export type Language = "en" | "de";

/** Languages that are complete, by their own names. */
export const languages: Partial<Record<Language, string>> = { en: "English" };

type Others<T> = Partial<Record<Exclude<Language, "en">, () => Promise<T>>>;

/** The sentences of one area: English comes with the page, others are fetched. A language that lacks one does not compile. */
export interface Area<T> {
  en: T;
  others: Others<T>;
}

export function defineWords<T>(en: T, others: Others<T> = {}): Area<T> {
  return { en, others };
}

let current: Language = "en";
const listeners = new Set<() => void>();

export function currentLanguage(): Language {
  return current;
}

/** An unknown one is English. */
export function setLanguage(wanted: string | undefined): void {
  const short = (wanted ?? navigator.language).split("-")[0] ?? "en";
  current = short in languages ? (short as Language) : "en";
  document.documentElement.lang = current;
  for (const listener of listeners) listener();
}

const fetched = new WeakMap<Area<unknown>, Map<Language, Promise<unknown>>>();

/** The sentences of an area in the chosen language; suspends while they are fetched. */
export function useWords<T>(area: Area<T>): T {
  const language = useSyncExternalStore(subscribe, currentLanguage);
  const load = (area.others as Partial<Record<Language, () => Promise<T>>>)[language];
  if (!load) return area.en;
  const known = fetched.get(area) ?? new Map<Language, Promise<unknown>>();
  fetched.set(area, known);
  const promise = known.get(language) ?? load();
  known.set(language, promise);
  return use(promise) as T;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
