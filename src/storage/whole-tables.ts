// Whole tables, for backups: rows as they are stored, in an order in which they can be put back, on either engine.
// What is made from other rows, or only passes through, is left out.

import { randomBytes } from "node:crypto";
import type { Dialect, Reader, Storage, Tx, Value, VersionScope, View } from "./port.ts";
import { textHash } from "./query/search-text.ts";
import { renewLog } from "./tables/history/feed.ts";
import type { IndexEntry } from "./tables/object-row.ts";

export interface Table {
  name: string;
  columns: string[];
}

export type StoredRow = { [column: string]: Value };

/** Made from the documents, from the log or by the migrations, or in the backup as files. */
const derived = /^(object_index|object_references|object_fts.*|migrations|definitions|writer_ranges)$/;
/** Under way, and best begun anew: sign-ins, one-time tokens, counts of the minute, uploads in parts, work in the queue. */
const passing = new Set([
  "account_tokens",
  "bulk_targets",
  "cache_processes",
  // Made when a backup is restored.
  "change_log",
  "counters",
  // Part of the collections' rows in a backup.
  "counts",
  "extension_log",
  // Places in the log of this database.
  "history_walks",
  "holds",
  "jobs",
  // Logs are in no backup, and no restore deletes them.
  "log_lines",
  "mail_batches",
  "mails",
  "mcp_answers",
  "mcp_sessions",
  "name_locks",
  // Of this database.
  "nodes",
  "oauth_codes",
  "presence",
  "previews",
  "request_claims",
  "schedule_slots",
  "schema_digests",
  "sessions",
  "site_errors",
  "stamps",
  "touched",
  "upload_parts",
  "uploads",
  "versions",
  "webhook_deliveries",
]);

/** Parameters that one statement may have on both engines. */
const maxParameters = 30_000;

/** In the order in which they can be filled. */
export async function listTables(db: Reader): Promise<Table[]> {
  return (await allTables(db)).filter(({ name }) => !derived.test(name) && !passing.has(name));
}

async function allTables(db: Reader): Promise<Table[]> {
  const tables = new Map<string, string[]>();
  for (const { table, column } of await db.all<{ table: string; column: string }>(db.dialect.tables.list)) {
    tables.set(table, [...(tables.get(table) ?? []), column]);
  }
  return [...tables].map(([name, columns]) => ({ name, columns }));
}

/** Applied from the given time on. */
export async function listMigrations(db: Reader, since = ""): Promise<string[]> {
  const rows = await db.all<{ name: string }>("SELECT name FROM migrations WHERE applied >= ? ORDER BY name", [since]);
  return rows.map(({ name }) => name);
}

export async function countRows(db: Reader, { name }: Table): Promise<number> {
  return (await db.one<{ total: number }>(`SELECT count(*) AS total FROM ${quoted(name)}`))?.total ?? 0;
}

export function iterateRows(view: View, { name, columns }: Table, batchSize: number): AsyncIterable<StoredRow[]> {
  const whole = name === "collections" ? wholeCounters(view.dialect) : undefined;
  const read = columns.map((column) =>
    whole?.has(column) ? `${whole.get(column)} AS ${quoted(column)}` : quoted(column),
  );
  // They get new numbers when they are put back.
  const orders = new Map([
    ["changes", ` ORDER BY ${view.dialect.log.order}`],
    ["seals", " ORDER BY number"],
  ]);
  const order = orders.get(name) ?? "";
  return view.iterate<StoredRow>(`SELECT ${read.join(", ")} FROM ${quoted(name)}${order}`, [], batchSize);
}

/** With what is not added to the rows yet. */
function wholeCounters({ counters }: Dialect): ReadonlyMap<string, string> {
  const { count, totalObjects, lastUpdated, writes } = counters;
  return new Map(Object.entries({ count, total_objects: totalObjects, last_updated: lastUpdated, writes }));
}

export async function insertRows(tx: Tx, { name, columns }: Table, rows: readonly StoredRow[]): Promise<void> {
  const into = `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(", ")}) ${tx.dialect.tables.keepNumbers}`;
  const places = `(${columns.map(() => "?").join(", ")})`;
  const atOnce = Math.max(1, Math.floor(maxParameters / columns.length));
  for (let from = 0; from < rows.length; from += atOnce) {
    const part = rows.slice(from, from + atOnce);
    await tx.run(
      `${into} VALUES ${part.map(() => places).join(", ")}`,
      part.flatMap((row) => columns.map((column) => row[column] ?? null)),
    );
  }
}

export interface EntryRow {
  rid: number;
  collection: string;
  id: string;
  created: string;
  modified: string;
  entry: IndexEntry;
}

/** What objects are found by, for objects that are put back. */
export async function insertEntries(tx: Tx, rows: readonly EntryRow[]): Promise<void> {
  if (rows.length === 0) return;
  const json = tx.dialect.jsonParam;
  await tx.run(
    `INSERT INTO object_index (rid, collection, id, created, modified, idx, fold, text_hash)
     VALUES ${rows.map(() => `(?, ?, ?, ?, ?, ${json}, ${json}, ?)`).join(", ")}`,
    rows.flatMap(({ rid, collection, id, created, modified, entry }) => [
      ...[rid, collection, id, created, modified],
      ...[entry.idx, entry.fold, textHash({ ...entry, collection })],
    ]),
  );
  await tx.dialect.search.insert(
    tx,
    rows.map(({ rid, collection, entry }) => ({ rid, collection, title: entry.title, body: entry.body })),
  );
}

/** Whether anything is stored that a restore would destroy. */
export async function holdsData(storage: Storage): Promise<boolean> {
  for (const table of await listTables(storage)) if ((await countRows(storage, table)) > 0) return true;
  return false;
}

/** Everything, what only passes through included; whoever has it cached hears of it. */
export async function emptyTables(storage: Storage): Promise<void> {
  const tables = (await allTables(storage)).map(({ name }) => name);
  // The numbers of versions go on, and what was touched before must still reach everybody.
  const ours = tables.filter((name) => !/^(migrations|versions|touched|log_lines|object_fts_.*)$/.test(name));
  await storage.write(async (tx) => {
    for (const name of ours.reverse()) await tx.run(`DELETE FROM ${quoted(name)}`);
    touchAll(tx);
  });
}

/**
 * After rows were put back: numbers go on behind the highest, and nobody trusts what they have kept. `lastObject`: the highest
 * number of an object that anything names, the log included.
 */
export async function finishTables(
  storage: Storage,
  collections: readonly string[],
  lastObject: number,
): Promise<void> {
  const { numbered } = storage.dialect.tables;
  const columns = numbered ? await storage.all<{ table: string; column: string }>(numbered.list) : [];
  await storage.write(async (tx) => {
    for (const { table, column } of columns) if (numbered) await tx.all(numbered.goOn(table, column));
    for (const sql of storage.dialect.tables.passObject) await tx.run(sql, [lastObject]);
    touchAll(tx);
    for (const collection of collections) tx.touch(`objects:${collection}`);
    // Places in the log name other changes now.
    await renewLog(tx, randomBytes(8).toString("hex"));
  });
}

function touchAll(tx: Tx): void {
  const content: VersionScope[] = [
    "collections",
    "schemas",
    "settings",
    "definitions",
    "jobs",
    "webhooks",
    "redirects",
  ];
  const access: VersionScope[] = ["keys", "sessions", "groups", "grants", "mcp-sessions"];
  for (const scope of [...content, ...access]) tx.touch(scope);
}

function quoted(name: string): string {
  return `"${name}"`;
}
