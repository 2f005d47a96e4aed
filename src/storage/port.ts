// The port to the database. Two engines stand behind it (engines/), and pass one suite (storage.contract.ts).
// SQL is written once, with `?` for parameters; what differs between the engines is named in Dialect.
// Nothing outside storage/ writes SQL.

export type Value = string | number | null;
export type Row = Record<string, unknown>;

/** How a property is compared, and so which SQL expression stands for it. */
export type Comparison = "text" | "number" | "boolean" | "date" | "list";

export interface Dialect {
  readonly name: "sqlite" | "postgres";
  /** A parameter that holds JSON text and is stored as binary JSON. */
  readonly jsonParam: string;
  /**
   * The comparable value of one property, spelled the same way in queries and in indexes.
   * `idx` holds values as they are, `fold` holds strings in lower case; `doc` is the whole document (slow).
   */
  property(source: "idx" | "fold" | "doc", property: string, comparison: Comparison): string;
  /** Holds when the condition holds for any element of a list property; it names the element `element.value`. */
  anyElement(source: "idx" | "fold" | "doc", property: string, condition: string): string;
  /** The folded list property has this element. */
  listHas(property: string, element: string): { sql: string; params: Value[] };
  /** The first so many characters of a text, compared by code point. */
  textKey(text: string, length: number): string;
  /** The text in lower case, as `fold` holds it; for what has no folded copy. */
  foldCase(text: string): string;
  /** A column of binary JSON as JSON text. The order of its keys is the engine's. */
  jsonText(column: string): string;
  readonly indexes: {
    /** What an index over part of a table begins with: the column that it is part by, where the planner wants it. */
    leading: string[];
    /** Stands after CREATE INDEX and DROP INDEX, so that writers go on. */
    concurrently: string;
    /** Lists the indexes of object_index by `name`. */
    list: string;
  };
  /** Locks the selected row until the transaction ends, where rows are locked one by one. */
  readonly forUpdate: string;
}

export interface Reader {
  readonly dialect: Dialect;
  all<T = Row>(sql: string, params?: readonly Value[]): Promise<T[]>;
  one<T = Row>(sql: string, params?: readonly Value[]): Promise<T | undefined>;
}

/**
 * A transaction. Its callback may await this transaction's own calls, or a turn of the event loop, and nothing else:
 * on the embedded engine several transactions share one commit and run one after the other.
 */
export interface Tx extends Reader {
  /** The number of rows changed. */
  run(sql: string, params?: readonly Value[]): Promise<number>;
  /** Says that what is cached under this scope is out of date once the transaction commits. */
  touch(scope: Scope): void;
}

/** What a cache depends on. `objects:{collection}` moves with each write to the collection's objects. */
export type Scope = "keys" | "collections" | "schemas" | "settings" | "sessions" | "groups" | `objects:${string}`;

export interface Storage extends Reader {
  /**
   * Runs the work in a transaction; when the promise resolves, the change is durable.
   * The work may be run more than once (only the last run counts), so it changes nothing but the database.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** All rows in batches, from one consistent view, in flat memory. */
  iterate<T = Row>(sql: string, params: readonly Value[], batchSize: number): AsyncIterable<T[]>;
  /** A number that moves when anything of the scope changes, in this process or another. Cheap: ask on each read. */
  version(scope: Scope): number;
  /** Runs a statement that may take long (CREATE INDEX, DROP INDEX, ANALYZE) without stopping readers. */
  maintain(sql: string): Promise<void>;
  /** Throws when the database cannot answer, or (check "write") cannot be written. */
  ping(check: "read" | "write"): Promise<void>;
  close(): Promise<void>;
}

/** Thrown by `run` when a unique constraint refuses the row; doors never see it. */
export class UniqueViolation extends Error {
  constructor() {
    super("unique constraint");
    this.name = "UniqueViolation";
  }
}
