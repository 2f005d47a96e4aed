// ISO 8601 durations of a fixed length: weeks, days, hours, minutes, seconds. Months and years have none.

const pattern = /^P(?:(\d+)W|(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)$/;
const factors = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];

/** `PT15M` in milliseconds; undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const parts = pattern.exec(text)?.slice(1);
  if (!parts?.some((part) => part !== undefined)) return undefined;
  const total = parts.reduce((sum, part, at) => sum + Number(part ?? 0) * (factors[at] as number), 0);
  return Number.isSafeInteger(total) ? total : undefined;
}
