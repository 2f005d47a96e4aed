// Options of a choice as lines of text: `value` or `value = Label`, beneath `# Group` where they are grouped. Pure.

import { isJsonObject, type Json } from "@contract/json.ts";

type Line = { group: string } | { value: string; label: string };

/** Undefined: they say more than lines can, and are edited as JSON. */
export function optionText(options: Json | undefined): string | undefined {
  if (options === undefined) return "";
  const lines = Array.isArray(options) ? linesOf(options) : isJsonObject(options) ? groupedLines(options) : undefined;
  if (!lines) return undefined;
  const text = lines.map((line) => ("group" in line ? `# ${line.group}` : written(line))).join("\n");
  // Only what is read back as it was written may be edited this way.
  return JSON.stringify(readOptions(text)) === JSON.stringify(options) ? text : undefined;
}

function written({ value, label }: { value: string; label: string }): string {
  return value === label ? value : `${value} = ${label}`;
}

function linesOf(options: readonly Json[]): Line[] | undefined {
  const lines: Line[] = [];
  for (const one of options) {
    if (typeof one === "string") lines.push({ value: one, label: one });
    else if (isJsonObject(one) && typeof one.value === "string" && typeof one.label === "string")
      lines.push({ value: one.value, label: one.label });
    else return undefined;
  }
  return lines;
}

function groupedLines(groups: { [group: string]: Json }): Line[] | undefined {
  const lines: Line[] = [];
  for (const [group, inside] of Object.entries(groups)) {
    const own = Array.isArray(inside) ? linesOf(inside) : undefined;
    if (!own) return undefined;
    lines.push({ group }, ...own);
  }
  return lines;
}

/** Undefined: there are none. */
export function readOptions(text: string): Json | undefined {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length === 0) return undefined;
  if (!lines.some((line) => line.startsWith("# "))) return lines.map(optionOf);
  const groups: { [group: string]: Json[] } = {};
  let group = "";
  for (const line of lines) {
    if (line.startsWith("# ")) {
      group = line.slice(2).trim();
      groups[group] ??= [];
    } else {
      groups[group] = [...(groups[group] ?? []), optionOf(line)];
    }
  }
  return groups;
}

function optionOf(line: string): Json {
  const at = line.indexOf(" = ");
  if (at < 0) return line;
  return { value: line.slice(0, at).trim(), label: line.slice(at + 3).trim() };
}

/** All values, for `enum`. */
export function valuesOf(options: Json | undefined): string[] {
  const inside = isJsonObject(options) ? Object.values(options).flat() : Array.isArray(options) ? options : [];
  return inside.flatMap((one) => {
    if (isJsonObject(one)) return one.value === undefined ? [] : [String(one.value)];
    return typeof one === "object" ? [] : [String(one)];
  });
}
