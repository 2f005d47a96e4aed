// Text that holds several values. Pure.

interface Named {
  value: string;
  label: string;
}

/** What stands before commas, tabs and line ends is whole; the rest is still being typed. */
export function splitTyped(text: string): { parts: string[]; rest: string } {
  const parts = text.split(/[,\t\r\n]+/).map((part) => part.trim());
  const rest = parts.pop() ?? "";
  return { parts: parts.filter((part) => part !== ""), rest: parts.length === 0 ? text : rest };
}

export function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

interface Choice {
  values: readonly string[];
  options: readonly Named[];
  allowsCustomValue: boolean;
  /** A value may be there several times. */
  allowsDoubles?: boolean;
}

export interface Sorted {
  /** New values, each once unless doubles are allowed. */
  added: string[];
  /** Values that are there already. */
  doubles: string[];
  /** Texts that stand for no value. */
  unknown: string[];
}

/** A text stands for the option of that label or value; where any text is allowed, else for itself. */
export function sortOut(
  parts: readonly string[],
  { values, options, allowsCustomValue, allowsDoubles = false }: Choice,
): Sorted {
  const sorted: Sorted = { added: [], doubles: [], unknown: [] };
  for (const part of parts) {
    const text = part.trim();
    if (text === "") continue;
    const value = valueFor(text, options) ?? (allowsCustomValue ? text : undefined);
    if (value === undefined) sorted.unknown.push(text);
    else if (allowsDoubles) sorted.added.push(value);
    else if (values.includes(value)) sorted.doubles.push(value);
    else if (!sorted.added.includes(value)) sorted.added.push(value);
  }
  return sorted;
}

function valueFor(text: string, options: readonly Named[]): string | undefined {
  const lower = text.toLowerCase();
  const found =
    options.find(({ value }) => value === text) ?? options.find(({ label }) => label.toLowerCase() === lower);
  return found?.value;
}
