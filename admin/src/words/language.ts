// Which language the admin speaks, and how an area of sentences is found in it.

import { use, useSyncExternalStore } from "react";

/** Languages that are complete, by their own names. */
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

type Others<T> = Record<Exclude<Language, "en">, () => Promise<T>>;

/** The sentences of one area: English comes with the page, others are fetched. A language that lacks one does not compile. */
export interface Area<T> {
  en: T;
  others: Others<T>;
}

const areas = new Set<Area<unknown>>();
let current: Language = "en";
const listeners = new Set<() => void>();

/** An area that comes with a later page is fetched beside the page. */
export function defineWords<T>(en: T, others: Others<T>): Area<T> {
  const area: Area<T> = { en, others };
  areas.add(area);
  void load(area, current);
  return area;
}

export function currentLanguage(): Language {
  return current;
}

/** Takes effect once the sentences that are shown are there. An unknown language is English. */
export async function setLanguage(wanted: string | undefined): Promise<void> {
  const short = (wanted ?? navigator.language).split("-")[0] ?? "en";
  const next = short in languages ? (short as Language) : "en";
  chosen = next;
  await Promise.all([...areas].map((area) => load(area, next)));
  // Another one was chosen meanwhile.
  if (chosen !== next || current === next) return;
  current = next;
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

let chosen: Language = current;

const fetched = new WeakMap<Area<unknown>, Map<Language, Promise<unknown>>>();

/** The sentences of an area in the chosen language; suspends while they are fetched. */
export function useWords<T>(area: Area<T>): T {
  const language = useSyncExternalStore(onLanguage, currentLanguage);
  // Also where they are there: a component that was suspended must call the same hooks when it goes on.
  return use(load(area, language));
}

/** Each is fetched once. What cannot be fetched is English. */
function load<T>(area: Area<T>, language: Language): Promise<T> {
  const known = fetched.get(area)?.get(language) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const words: Promise<T> = language === "en" ? Promise.resolve(area.en) : area.others[language]().catch(() => area.en);
  // React reads the value of a promise that says so, and suspends for others.
  const tell = (value: T) => void Object.assign(words, { status: "fulfilled", value });
  if (language === "en") tell(area.en);
  else void words.then(tell);
  fetched.set(area, (fetched.get(area) ?? new Map<Language, Promise<unknown>>()).set(language, words));
  return words;
}

/** Calls when another language is chosen; answers with the way to end it. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
