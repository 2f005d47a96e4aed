// From the port's SQL to the driver's: `$1` for `?`, and a name for repeated statements,
// so that the server parses them once per connection.

import pg, { type CustomTypesConfig, type QueryConfig } from "pg";
import type { Value } from "#storage/port.ts";
import { keyGate } from "./postgres-key-gate.ts";

/** Names cost memory on every connection, and callers can make any number of shapes: beyond this limit statements have none. */
const maxNames = 500;
const maxTexts = 5_000;

export type ToQuery = (sql: string, params: readonly Value[]) => QueryConfig<Value[]>;

/** Without `prepares` no statement has a name: the next one may reach another connection of the server. */
export function createStatements(prepares = true): ToQuery {
  const statements = new Map<string, { text: string; name?: string }>();
  let names = 0;
  return (sql, params) => {
    const known = statements.get(sql);
    if (!known) {
      if (statements.size >= maxTexts) statements.clear();
      keyGate?.(sql);
      const text = numberParameters(sql);
      statements.set(sql, { text });
      return { text, values: params as Value[], types };
    }
    if (prepares && !known.name && names < maxNames) known.name = `cairn_${names++}`;
    return { ...known, values: params as Value[], types };
  };
}

export function numberParameters(sql: string): string {
  let count = 0;
  return sql.replace(/'(?:[^']|'')*'|\?/g, (found) => (found === "?" ? `$${++count}` : found));
}

/** Values in the form of the other engine: whole numbers as numbers, JSON as text. */
export const types: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (oid === pg.types.builtins.INT8) return Number;
    if (oid === pg.types.builtins.JSONB || oid === pg.types.builtins.JSON) return String;
    return pg.types.getTypeParser(oid, format);
  }) as CustomTypesConfig["getTypeParser"],
};
