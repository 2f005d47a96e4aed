// Prices as people write them. Pure; used by the server and the admin.

/**
 * "$100,000.00", "100.000,00 €", "CHF 1'234.50": the last separator is the decimal one,
 * unless it groups thousands (it occurs several times, or exactly three digits follow it).
 */
export function parsePrice(text: string): number | undefined {
  const bare = text.replace(/[\p{Sc}\p{L}\s'’]/gu, "");
  if (!/^[+-]?\d[\d.,]*$/.test(bare) || /[.,]{2}/.test(bare)) return undefined;
  const separator = bare[Math.max(bare.lastIndexOf("."), bare.lastIndexOf(","))];
  if (separator === undefined) return Number(bare);
  const parts = bare.split(separator);
  const isMixed = bare.includes(separator === "." ? "," : ".");
  const isDecimal = parts.length === 2 && (isMixed || parts[1]?.length !== 3);
  if (!isDecimal) return Number(bare.replace(/[.,]/g, ""));
  return Number(`${(parts[0] as string).replace(/[.,]/g, "")}.${parts[1]}`);
}
