// The port to the database. Two engines stand behind it (engines/), and pass one suite (storage.contract.ts).
// SQL is written once, with `?` for parameters; what differs between the engines is named in Dialect.
// Nothing outside storage/ writes SQL.

import type { WriterLine } from "#base/writer-line.ts";
import type { Caller } from "#lanes/caller.ts";
import type { CommitStep } from "./before-commit.ts";
import type { ChangedRow, DeletionRecord, Recorded } from "./log/change-record.ts";
import type { Comparison, Search, Selection } from "./query/selection.ts";
import type { FormerObject, IndexEntry, NewObject, ObjectKey, ObjectUpdate } from "./tables/object-row.ts";

export type Value = string | number | null;
export type Row = Record<string, unknown>;

/** Part of a statement, with the values of its `?`. */
export interface Fragment {
  sql: string;
  params: readonly Value[];
}

/** A place in the log of changes: that of a change. Commits come in the order of both. */
export interface Place {
  /** The transaction. */
  tx: string;
  seq: number;
}

export interface Dialect {
  /** For people, as `cairn info` prints it. Code asks the other members. */
  readonly label: string;
  /** A parameter that holds JSON text and is stored as binary JSON. */
  readonly jsonParam: string;
  /** All values of a column as JSON, in the order of the rows. Absent: rows cost less. */
  readonly columns?: { numbers(column: string): string; texts(column: string): string };
  /**
   * The comparable value of one property, spelled the same way in queries and in indexes.
   * `idx` holds values as they are, `fold` holds strings in lower case; `doc` is the whole document (slow).
   */
  property(source: "idx" | "fold" | "doc", property: string, comparison: Comparison): string;
  /**
   * The values of a property in a column like `idx`: `from` is joined to the column's table and has a row for each element
   * of a list, or for the one value. `text` is the value as text, `isScalar` holds where there is one.
   */
  values(column: string, property: string): { from: string; text: string; isScalar: string };
  /** Holds when the property is missing or null, or an empty text, list or object. Never null itself. */
  isEmpty(source: "idx" | "doc", property: string): string;
  /**
   * Holds when the condition holds for any element of a list property; it names the element `element.value`.
   * In `doc` these are the texts, numbers and booleans of the list.
   */
  anyElement(source: "idx" | "fold" | "doc", property: string, condition: string): string;
  /**
   * A query for the items of a deck, or for the one object of a card, in the document of the row around it: one row each,
   * with the text of the item as `doc`. The first of the names that has a value counts.
   */
  items(names: readonly string[], isDeck: boolean): string;
  /** The text of a document with these properties alone, those that it has, the id first; a damaged one as it is. */
  partOf(doc: string, names: readonly string[]): string;
  /** The folded list property of an object in this collection has this element. */
  listHas(collection: string, property: string, element: string): { sql: string; params: Value[] };
  /** The first `length` characters of a text, compared by code point. */
  textKey(text: string, length: number): string;
  /** All of it, compared in the same way. */
  wholeText(text: string): string;
  /**
   * The text in lower case, as `fold` holds it, or so much of it that it compares with these folded values in the same
   * way; for what has no folded copy.
   */
  foldCase(text: string, values: readonly string[]): { sql: string; params: Value[] };
  /** A column of binary JSON as JSON text. The order of its keys is the engine's. */
  jsonText(column: string): string;
  /** The text of a JSON array of the values of these properties in a column of binary JSON; null where there is none. */
  jsonValues(column: string, names: readonly string[]): string;
  /** A value out of JSON as the driver can hand it over: not each takes whole numbers beyond 2^53. */
  readable(value: string): string;
  readonly indexes: {
    /** What an index over part of a table begins with: the column that it is part by, where the planner wants it. */
    leading: string[];
    /** Stands after CREATE INDEX and DROP INDEX, so that writers go on. */
    concurrently: string;
    /** A statement that needs nothing but expressions of an index reads the index alone. Else it can join several. */
    carries: boolean;
    /** Lists the indexes of object_index by `name`, with `definition`: as it was written, or empty where the engine rewrites it. */
    list: string;
  };
  readonly scans: {
    /** Stands after `object_index` and names the way through it, where the planner would choose a slow one. */
    way(selection: Selection, isOrdered: boolean): string;
    /** A condition that ends a statement whose time is over; absent where the engine itself does. */
    deadline?: string;
    /** Stands after LIMIT. */
    limit: string;
    /** A page of documents as one row (query/joined.ts), by the names of its sort keys; absent where rows are as good. */
    joined?(sql: string, keys: string[]): string;
  };
  readonly search: SearchDialect;
  readonly counters: CounterDialect;
  /** The order of commits in the log of changes (tables/history/feed.ts). */
  readonly log: {
    /** The transaction of a change, as text. */
    tx: string;
    /** Holds for changes after a place, or up to it. */
    after(place: Place): Fragment;
    upTo(place: Place): Fragment;
    /** After one place and up to another. Within one transaction, such as that of a restored log, by the number alone. */
    between(after: Place, upTo: Place): Fragment;
    order: string;
    newestFirst: string;
    /** 1 where no commit can come before the change any more, else 0; and the same as a condition. */
    settledFlag: string;
    isSettled: string;
    /** The oldest transaction that keeps changes from being settled, open for more than `?` seconds. Absent: there is none. */
    holdUp?: string;
  };
  /** Where the planner goes by statistics: an expression for the objects that changed since, and what takes them again. */
  readonly statistics?: { changed: string; refresh: readonly string[] };
  /** Where processes ask which commits they have not seen (tables/caches/touched.ts). */
  readonly touched?: { horizon: string; deleteBefore: string };
  /** Writes to the tables of objects: the row, its index entry, its search text and its record. The caller moves the scope. */
  readonly objects: {
    /** Follows the condition that joins a table of objects by `rid`: the collection, where tables can be divided by it. */
    joined(table: string, collection: string): string;
    /** Of one collection. The `rid` of each; undefined where the id was taken, which changes nothing. */
    insert(tx: Tx, writes: readonly NewObject[]): Promise<(number | undefined)[]>;
    /** With the number and the revision that it had. False: the number or the id is taken, and nothing is changed. */
    reinstate(tx: Tx, former: FormerObject, write: NewObject): Promise<boolean>;
    /** `object`: as it will be. `row` updates the row in `objects`. */
    update(tx: Tx, object: ChangedRow, write: ObjectUpdate, parts: { row: Fragment; record: Recorded }): Promise<void>;
    delete(tx: Tx, object: ObjectKey, record: DeletionRecord | undefined): Promise<void>;
    /** Up to `limit` objects; returns how many. */
    deleteSome(tx: Tx, collection: string, limit: number, record: DeletionRecord | undefined): Promise<number>;
  };
  readonly tables: {
    /** Lists `table` and `column`, in the order in which they were made: whatever refers to another comes after it. */
    list: string;
    /** Stands before VALUES, so that a number that the database gives out itself is taken as it comes. */
    keepNumbers: string;
    /** After that, where the database does not see to it itself: lists the numbered ones, and makes one go on behind its last. */
    numbered?: { list: string; goOn(table: string, column: string): string };
    /** An expression: objects that are stored later have higher numbers, those that are stored already have not. */
    lastObject: string;
    /** Statements: the numbers of objects go on behind a number, unless they are past it. */
    passObject: readonly string[];
  };
  /** Locks the selected row until the transaction ends, where rows are locked one by one. */
  readonly forUpdate: string;
  /** Keeps the selected row from being deleted until the transaction ends, and blocks nothing else. */
  readonly forReference: string;
  /** Locks the selected row for its deletion: also against transactions that keep it from being deleted. */
  readonly forDeletion: string;
  /** Locks, passing over rows that another transaction has locked. */
  readonly skipLocked: string;
  /** Locks a name until the transaction ends, and deletes what nobody used for an hour; absent where one transaction writes at a time. */
  readonly names?: { lock: string; deleteUnused: string };
}

/** Text in folded words, and the collection whose mark they carry (query/search-text.ts). */
export type SearchText = Pick<IndexEntry, "title" | "body"> & { collection: string };

/** The full-text index. Both engines find the same; only the weights within a rank differ. */
export interface SearchDialect {
  /** The query text of a search in a collection; undefined when there is nothing to look for. */
  matchText(collection: string, search: Search): string | undefined;
  /**
   * What stands after FROM, and the conditions that go with it: the matches, joined with `object_index`.
   * `among`: only the best so many of them, where `spareMatches` is set.
   */
  matches(selection: Selection & { search: Search }, among?: number): { from: Fragment; conditions: Fragment[] };
  /** Selects `rid`, `tie` and the rank `k0` of what was found: the best match has the lowest. `last`: of the page. */
  ranked(found: Fragment, selection: Selection & { search: Search }, last: number): Fragment;
  /** Looking only at the best matches pays: at as many as the page needs, and so many more. Absent: it does not. */
  readonly spareMatches?: number;
  insert(tx: Tx, texts: readonly (SearchText & { rid: number })[]): Promise<void>;
  delete(tx: Tx, rid: number): Promise<void>;
}

/** The counters of collections (tables/collections.ts), as expressions over a row of `collections`: exact at every moment. */
export interface CounterDialect {
  readonly count: string;
  readonly totalObjects: string;
  readonly lastUpdated: string;
  readonly writes: string;
  /** Where a transaction waits for another that has changed the same row: changes are appended, and added up later. */
  readonly appended?: {
    /** The collection; created, total, when. Refused where the collection is gone. */
    append: string;
    /** The same after the collection and two revisions: under any other it must be indexed again. */
    appendAfterWrite: string;
    /** Lists the collections that have something to add up. */
    list: string;
    /** Adds up, and returns the counters; three times the collection, whose row is locked. */
    fold: string;
    /** Locks the row unless another transaction has it. */
    lockFree: string;
    /** Waits for all transactions that have appended; until the end of this one no other appends. */
    lockAll: string;
    forget: string;
  };
}

/** Reads that find their rows by a whole key; on the embedded engine they run on the event loop's thread. */
export interface Reader {
  readonly dialect: Dialect;
  all<T = Row>(sql: string, params?: readonly Value[]): Promise<T[]>;
  one<T = Row>(sql: string, params?: readonly Value[]): Promise<T | undefined>;
}

export interface Statement {
  sql: string;
  params: readonly Value[];
  /**
   * The same rows as one, with the same parameters: `text`, their documents as a JSON array in UTF-8, and `found`, JSON of
   * what else a row has, with the length of its document as `bytes`.
   */
  joined?: string;
}

/** Rows to find. An attempt is some statements that run until there are enough rows. */
export interface Wanted {
  attempts: Statement[][];
  /** At most so many rows. */
  limit: number;
  /**
   * Which rows are the answer; others are looked for by the next attempt, and the last attempt counts in any case.
   * `full`: as many as the limit. `placed`: no sort value is as long as the beginning of a text that is sorted by.
   */
  suffices?: "full" | "placed";
}

/** Made by select.ts, and where jobs or all objects are gone through: any other read finds its rows by a key. */
export interface Question {
  /** All see the same moment. */
  wanted: Wanted[];
  /**
   * The documents of the first, at most so many, are joined to one JSON array, if each is whole and was stored under this
   * revision of the schema. Else its rows come back. Where its statements have a joined form, the database joins them.
   */
  documents?: { rev: string; most: number };
  caller: Caller;
}

export interface Answer {
  /** One list for each that was wanted; the first is empty where its documents were joined. */
  rows: Row[][];
  documents?: JoinedDocuments;
}

export interface JoinedDocuments {
  /** A JSON array in UTF-8. */
  text: Uint8Array;
  count: number;
  /** More rows were found than were joined. */
  hasMore: boolean;
  /** The last row that was joined, without its document. */
  last: Row | undefined;
}

/** What answers questions; a transaction does not. */
export interface Asked {
  readonly dialect: Dialect;
  /** Answers without holding the event loop. Refuses with `busy`, `query-too-long`, `too-large` or `rate-limited`. */
  ask(question: Question): Promise<Answer>;
}

/**
 * A transaction. Its callback may await this transaction's own calls, or a turn of the event loop, and nothing else:
 * on the embedded engine several transactions share one commit and run one after the other.
 */
export interface Tx extends Reader {
  /** The number of rows changed. */
  run(sql: string, params?: readonly Value[]): Promise<number>;
  /**
   * Runs an INSERT of one row into a table that numbers its rows; the new row's `rid`.
   * Writes have no RETURNING where it can be helped: on the embedded engine it opens a savepoint, and with each one the
   * full-text index writes out a segment.
   */
  insert(sql: string, params: readonly Value[]): Promise<number>;
  /** Says that what is cached under this scope is out of date once the transaction commits. `change`: all that it changes there. */
  touch(scope: VersionScope, change?: ObjectChange): void;
  /** Runs when the work is done, before the commit: for rows that many want at the same moment (before-commit.ts). Of several with one name the first runs. */
  beforeCommit(name: string, step: CommitStep): void;
  /** Only where a statement is a round trip: it travels with the commit, after the steps before it, and fails it. */
  withCommit?(statement: LastStatement): void;
}

export interface LastStatement extends Fragment {
  /** The error where a value is missing that a column must have. */
  refusal(): Error;
}

/**
 * What a cache depends on. `objects:{collection}` moves with each write to the collection's objects,
 * `import:{collection}` with those of an import, `cache:{kind}` when a kind of cache is cleared (base/caches/kinds.ts).
 */
export type VersionScope =
  | "keys"
  | "collections"
  | "schemas"
  | "settings"
  | "definitions"
  | "sessions"
  | "groups"
  | "grants"
  | "jobs"
  | "webhooks"
  | "pending-files"
  | "templates"
  | "redirects"
  | "previews"
  | "extensions"
  | "changes"
  | "writers"
  | `view:${string}`
  | "mcp-sessions"
  | "mcp-answers"
  | `import:${string}`
  | `cache:${string}`
  | `objects:${string}`;

/** What a write has changed of one object. */
export interface ObjectChange {
  id: string;
  /** From `versionOf` (query/object-versions.ts), of an object that was there before. */
  version?: string;
  /** Top-level properties whose values differ; absent: any may, or the object came or went. */
  names?: ReadonlySet<string> | undefined;
}

/** The database as it was at one moment, however long the view is open. */
export interface View extends Reader {
  /** All rows in batches, in flat memory; one at a time. */
  iterate<T = Row>(sql: string, params: readonly Value[], batchSize: number): AsyncIterable<T[]>;
}

export interface Storage extends Reader, Asked {
  /** Several servers may work on this database, so a process learns of the others' writes a moment late. */
  readonly isShared: boolean;
  /**
   * Runs the work in a transaction; when the promise resolves, the change is durable.
   * The work may be run more than once (only the last run counts), so it changes nothing but the database.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Set in a process that only reads while another one of its server writes: `write` and `maintain` refuse with NeedsWriter. */
  readonly line?: WriterLine;
  /** Only with a line: use `note` of notes.ts. */
  note?(work: (tx: Tx) => Promise<void>): Promise<void>;
  /** All rows in batches, from one consistent view, in flat memory. A batch is smaller where its rows are large. */
  iterate<T = Row>(sql: string, params: readonly Value[], batchSize: number, caller?: Caller): AsyncIterable<T[]>;
  /** For work that needs several tables of one moment. */
  view<T>(work: (view: View) => Promise<T>, caller?: Caller): Promise<T>;
  /** A number that moves when anything of the scope changes, in this process or another. Cheap: ask on each read. */
  version(scope: VersionScope): number;
  /** Moves whenever a version does. Only where the storage is not shared. */
  anyVersion?(): number;
  /** All changes since the scope had this version; undefined where this process does not know them. Only in one that writes. */
  changesSince?(scope: VersionScope, version: number): readonly ObjectChange[] | undefined;
  /**
   * Resolves when `version` reflects every write that was acknowledged before the call. Wait for it before something
   * cached decides what a caller may see. Where the storage is not shared there is nothing to wait for.
   */
  catchUp(): Promise<void>;
  /**
   * Called after each commit that touches the scope: of this process, and where the engine tells, of others at once.
   * Callers that must not miss a change also compare the version now and then. Returns a function that stops it.
   */
  watch(scope: VersionScope, listener: () => void): () => void;
  /** Waits for every open transaction that has changed something; false when that takes longer than `ms`. */
  settle(ms: number): Promise<boolean>;
  /**
   * Runs a statement that may take long (CREATE INDEX, DROP INDEX, ANALYZE) without stopping readers, one at a time. Resolves to
   * how long it took by itself, in milliseconds.
   */
  maintain(sql: string): Promise<number>;
  /** Where processes of several machines and versions may share the database. */
  readonly shared?: SharedDatabase;
  /** Only where `maintain` keeps writers waiting: when something was last written, by `performance.now()`. */
  lastCommit?(): number;
  /** Set where nothing can be written as long as it is open: every write is refused as "unavailable". */
  readonly isReadOnly?: true;
  /** Figures about questions and long reads. */
  readCounts?(): ReadCounts;
  /** Throws when the database cannot answer, or (check "write") cannot be written. */
  ping(check: "read" | "write"): Promise<void>;
  close(): Promise<void>;
}

export interface SharedDatabase {
  /** A migration by which a newer version has removed what this one needs. */
  findLost(): Promise<string | undefined>;
  /** Applies migrations that remove something, unless a process that was seen since does not know them. Answers their names. */
  contract(since: string): Promise<string[]>;
  /** How many one process may take, and how many the server allows. */
  connections(): Promise<{ own: number; limit: number }>;
}

export interface ReadCounts {
  quickWaiting: number;
  slowWaiting: number;
  running: number;
  /** The rest since the start: run in a lane, stopped, left by their callers, refused; how long all have waited. */
  quick: number;
  slow: number;
  stopped: number;
  cancelled: number;
  busy: number;
  overBudget: number;
  waitedMs: number;
  /** Threads that were given up. */
  replaced?: number;
  streams?: StreamCounts | undefined;
}

export interface StreamCounts {
  running: number;
  waiting: number;
  /** Since the start. */
  done: number;
  busy: number;
  cut: number;
  /** When the oldest that is open was opened, by the clock of this process. */
  oldest: number | undefined;
  /** How often one was found open for minutes while the database's log is large; and how large that is now. */
  holdingLog?: number;
  logBytes?: number;
}

/** Thrown by `run` when a unique constraint refuses the row; doors never see it. */
export class UniqueViolation extends Error {
  constructor() {
    super("unique constraint");
    this.name = "UniqueViolation";
  }
}
