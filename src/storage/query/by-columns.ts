// Reads many narrow rows. A database server sends them as one row of lists where that costs less: each row and each value of it
// is a piece of its own for the driver otherwise.

import { perDialect } from "#storage/per-dialect.ts";
import type { Reader, Row, Value } from "#storage/port.ts";

interface Columns {
  /** Never null. */
  numbers: readonly string[];
  texts: readonly string[];
}

/** `select`: names its columns as they are listed, and orders its rows. */
export function readByColumns<T extends object>(
  select: string,
  { numbers, texts }: Columns,
): (db: Reader, params: readonly Value[]) => Promise<T[]> {
  const names = [...numbers, ...texts];
  const sqlOf = perDialect(({ columns }) => {
    const lists = columns && [
      ...numbers.map((name) => `${columns.numbers(`"${name}"`)} AS "${name}"`),
      ...texts.map((name) => `${columns.texts(`"${name}"`)} AS "${name}"`),
    ];
    return lists ? `SELECT ${lists.join(", ")} FROM (${select}) AS found` : select;
  });
  return async (db, params) => {
    const sql = sqlOf(db.dialect);
    if (!db.dialect.columns) return db.all<T>(sql, params);
    const row = await db.one<Record<string, string | null>>(sql, params);
    const lists = names.map((name) => JSON.parse(row?.[name] ?? "[]") as Value[]);
    const length = lists[0]?.length ?? 0;
    return Array.from({ length }, (_, at) => {
      const made: Row = {};
      for (let n = 0; n < names.length; n += 1) made[names[n] as string] = lists[n]?.[at] ?? null;
      return made as T;
    });
  };
}
