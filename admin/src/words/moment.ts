// A time with its seconds, for things that may follow each other closely.

import { currentLanguage } from "./language.ts";

export function formatMoment(value: string): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeStyle: "medium" });
  return format.format(new Date(value));
}
