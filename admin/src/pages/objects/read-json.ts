// JSON text, or where it stops being JSON. Browsers say it in different words, so the place is found here. Pure.

import type { Json } from "@contract/json.ts";

export type ReadJson = { value: Json } | { line: number; column: number };

export function readJson(text: string): ReadJson {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    const at = placeOf(error instanceof Error ? error.message : "", text);
    const before = text.slice(0, at).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

/** Some name a position, some a line and a column, and some that the text ends too early. */
function placeOf(message: string, text: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line === undefined) return text.length;
  const lines = text.split("\n").slice(0, Number(line) - 1);
  return lines.reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1;
}
