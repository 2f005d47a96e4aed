// A time to the second: entries of a log often share a minute.

import { currentLanguage } from "#words/language.ts";

export function formatSecond(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return date.toLocaleString(currentLanguage(), { dateStyle: "medium", timeStyle: "medium" });
}
