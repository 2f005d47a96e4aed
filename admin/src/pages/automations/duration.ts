// How long something took: "80 ms", "1.2 sec", "3 min". Pure.

import { currentLanguage } from "#words/language.ts";

export function formatDuration(ms: number): string {
  const [value, unit] =
    ms < 1_000 ? [ms, "millisecond"] : ms < 120_000 ? [ms / 1_000, "second"] : [ms / 60_000, "minute"];
  const digits = unit === "second" && Number(value) < 10 ? 1 : 0;
  const options = { style: "unit", unit: String(unit), unitDisplay: "short", maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(currentLanguage(), options).format(Number(value));
}
