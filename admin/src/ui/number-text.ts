// Numbers as people type them: the decimal sign of the language, grouping signs ignored.

/** "," in "1,5", "." in "1.5". */
function decimalSign(language: string): string {
  return new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? ".";
}

/** Undefined for what is empty or no number. A point is understood as decimal sign wherever that is not ambiguous. */
export function parseNumber(text: string, language: string): number | undefined {
  let plain = text.trim().replace(/[\s\u00a0\u202f'’]/g, "");
  if (decimalSign(language) === ",") plain = plain.includes(",") ? plain.replaceAll(".", "").replace(",", ".") : plain;
  else plain = plain.replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, "");
  plain = plain.replace(/^−/, "-");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : undefined;
}

/** All its digits, without grouping: the text of a field. */
export function numberText(value: number, language: string): string {
  return new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 20 }).format(value);
}

/** One step up or down from what is typed; nothing typed counts as 0. Bounds hold for steps, not for typing. */
export function stepNumber(
  text: string,
  steps: number,
  { step = 1, min = -Infinity, max = Infinity }: { step?: number; min?: number; max?: number },
  language: string,
): string {
  const from = parseNumber(text, language) ?? 0;
  const digits = Math.max(decimals(step), decimals(from));
  const next = Math.min(max, Math.max(min, Number((from + steps * step).toFixed(digits))));
  return numberText(next, language);
}

function decimals(value: number): number {
  const [digits = "", exponent = "0"] = String(value).split("e");
  return Math.min(20, Math.max(0, (digits.split(".")[1]?.length ?? 0) - Number(exponent)));
}
