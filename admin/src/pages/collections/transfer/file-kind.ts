// What a file to import is, by its name. Pure.

import { routes } from "#api/routes.ts";

const kinds = {
  json: { route: routes.importJson, type: "application/json" },
  ndjson: { route: routes.importJson, type: "application/x-ndjson" },
  jsonl: { route: routes.importJson, type: "application/x-ndjson" },
  csv: { route: routes.importCsv, type: "text/csv" },
} as const;

export const accepted = Object.keys(kinds)
  .map((ending) => `.${ending}`)
  .join(",");

export type FileKind = (typeof kinds)[keyof typeof kinds];

export function kindOfFile(name: string): FileKind | undefined {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(kinds, ending) ? kinds[ending as keyof typeof kinds] : undefined;
}
