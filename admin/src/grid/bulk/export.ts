// Exports of what is selected, as a file. All that match come in one request; chosen objects in several, as a request names
// only so many.

import { addressOf, askText } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { type Filter, filterParams } from "#grid/address.ts";

/** The server takes so many values of one filter. */
const atOnce = 100;

export type Format = "json" | "csv";

export interface Export {
  collection: string;
  format: Format;
  /** Chosen objects; else all that match. */
  ids?: readonly string[];
  search: string;
  filters: readonly Filter[];
}

export async function exportObjects({ collection, format, ids, search, filters }: Export): Promise<void> {
  const route = format === "json" ? routes.exportJson : routes.exportCsv;
  const name = `${collection}.${format}`;
  const path = { collection };
  if (!ids) {
    const query = { ...(search.trim() !== "" && { search: search.trim() }), ...filterParams(filters) };
    return saveFile(addressOf(route, { path, query }), name);
  }
  const parts: string[] = [];
  for (let at = 0; at < ids.length; at += atOnce)
    parts.push(await askText(route, { path, query: { "filter[id][in]": ids.slice(at, at + atOnce).join("|") } }));
  const text = format === "json" ? joinJson(parts) : joinCsv(parts);
  const type = format === "json" ? "application/json" : "text/csv";
  const address = URL.createObjectURL(new Blob([text], { type }));
  saveFile(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function joinJson(parts: readonly string[]): string {
  const inner = parts.map((part) => part.trim().slice(1, -1).trim()).filter((part) => part !== "");
  return `[\n${inner.join(",\n")}\n]\n`;
}

/** The header of the first part is that of all. */
export function joinCsv(parts: readonly string[]): string {
  const [first = "", ...others] = parts;
  const header = headerOf(first);
  for (const part of others)
    if (headerOf(part) !== header) throw new Error("The objects have different columns. Export them as JSON.");
  return first + others.map((part) => part.slice(header.length)).join("");
}

function headerOf(csv: string): string {
  return csv.slice(0, csv.indexOf("\n") + 1);
}

export function saveFile(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
