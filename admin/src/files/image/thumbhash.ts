// The average colour that a thumbhash begins with (its format is public: evanw/thumbhash). Pure.

/** As CSS; undefined where the text is no thumbhash. */
export function averageColor(base64: string): string | undefined {
  let bytes: string;
  try {
    bytes = atob(base64);
  } catch {
    return undefined;
  }
  if (bytes.length < 5) return undefined;
  const at = (index: number) => bytes.charCodeAt(index);
  const header = at(0) | (at(1) << 8) | (at(2) << 16);
  const l = (header & 63) / 63;
  const p = ((header >> 6) & 63) / 31.5 - 1;
  const q = ((header >> 12) & 63) / 31.5 - 1;
  const b = l - (2 / 3) * p;
  const r = (3 * l - b + q) / 2;
  const part = (value: number) => Math.round(255 * Math.max(0, Math.min(1, value)));
  return `rgb(${part(r)} ${part(r - q)} ${part(b)})`;
}
