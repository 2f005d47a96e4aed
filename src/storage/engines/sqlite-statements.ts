// Prepared statements of the embedded engine. Rows are read as arrays and made into objects here: the
// driver's own objects are dictionaries, which are slow to make and to read, and that shows in every list.

import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { Value } from "#storage/port.ts";

const maxKept = 500;

export interface Statement {
  all<T>(params?: readonly Value[]): T[];
  get<T>(params?: readonly Value[]): T | undefined;
  run(params?: readonly Value[]): ReturnType<StatementSync["run"]>;
  iterate<T>(params?: readonly Value[]): Iterable<T>;
}

type Row = Record<string, SQLOutputValue>;

export function prepare(database: DatabaseSync, sql: string): Statement {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);

  function rowOf(values: readonly SQLOutputValue[]): Row {
    const row: Row = {};
    for (let at = 0; at < names.length; at++) row[names[at] as string] = values[at] as SQLOutputValue;
    return row;
  }

  return {
    all<T>(params: readonly Value[] = []): T[] {
      const rows = statement.all(...params) as unknown as SQLOutputValue[][];
      return rows.map(rowOf) as T[];
    },
    get<T>(params: readonly Value[] = []): T | undefined {
      const values = statement.get(...params) as unknown as SQLOutputValue[] | undefined;
      return values && (rowOf(values) as T);
    },
    run: (params = []) => statement.run(...params),
    *iterate<T>(params: readonly Value[] = []): Iterable<T> {
      for (const values of statement.iterate(...params)) yield rowOf(values as unknown as SQLOutputValue[]) as T;
    },
  };
}

/** Prepares each text once, up to a limit. */
export function statementCache(
  database: DatabaseSync,
  check?: (database: DatabaseSync, sql: string) => void,
): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size >= maxKept) statements.clear();
      check?.(database, sql);
      statement = prepare(database, sql);
      statements.set(sql, statement);
    }
    return statement;
  };
}

/** Yields after each. */
export async function* inBatches<T>(
  statement: Statement,
  params: readonly Value[],
  batchSize: number,
): AsyncIterable<T[]> {
  let batch: T[] = [];
  for (const row of statement.iterate<T>(params)) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
    await new Promise(setImmediate);
  }
  if (batch.length > 0) yield batch;
}
