// Statements that the engines spell differently, each put together once: they run on every write.

import type { Dialect } from "./port.ts";

export function perDialect(spell: (dialect: Dialect) => string): (dialect: Dialect) => string {
  const spelled = new Map<Dialect, string>();
  return (dialect) => {
    let sql = spelled.get(dialect);
    if (sql === undefined) {
      sql = spell(dialect);
      spelled.set(dialect, sql);
    }
    return sql;
  };
}
