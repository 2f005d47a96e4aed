// The full-text index of SQLite: FTS5, with the title and the body as columns. Its rank is worked out while it finds.

import type { Fragment, SearchDialect, SearchText, Tx } from "#storage/port.ts";
import { findMatchText, type QuerySpelling, unmarked } from "#storage/query/search.ts";
import { markOf } from "#storage/query/search-text.ts";
import { deadlineSql, limitSql } from "./sqlite-scans.ts";

const spelling: QuerySpelling = { phrase, and: " AND ", or: " OR " };

function phrase(words: readonly string[], mark: string, isPrefix: boolean): string {
  const marked = words.map((word) => mark + word).join(" ");
  return `"${marked.replaceAll('"', '""')}"${isPrefix ? " *" : ""}`;
}

/** These words side by side; undefined when there are none. */
export function findWordsMatch(collection: string, words: string[]): string | undefined {
  if (words.every((word) => word === "")) return undefined;
  return [markOf(collection), unmarked].map((mark) => phrase(words, mark, false)).join(spelling.or);
}

const join = "JOIN object_index ON object_index.rid = object_fts.rowid";
const insertText = "INSERT INTO object_fts (rowid, title, body) VALUES (?, ?, ?)";
const nothing: Fragment = { sql: "false", params: [] };

export const sqliteSearch: SearchDialect = {
  matchText: (collection, search) => findMatchText(collection, search, spelling),
  matches({ collection, search }, among) {
    const match = findMatchText(collection, search, spelling);
    if (match !== undefined && among !== undefined) {
      // The plus keeps the full-text index from sorting by itself, which is slower.
      const best = `SELECT rowid, rank FROM object_fts WHERE object_fts MATCH ? AND ${deadlineSql("rowid")}
      ORDER BY +rank, rowid LIMIT ${limitSql}`;
      return { from: { sql: `(${best}) AS object_fts CROSS ${join}`, params: [match, among] }, conditions: [] };
    }
    const condition = match === undefined ? nothing : { sql: "object_fts MATCH ?", params: [match] };
    return { from: { sql: `object_fts ${join}`, params: [] }, conditions: [condition] };
  },
  ranked: ({ sql, params }) => ({
    sql: `SELECT object_index.rid, object_fts.rank AS k0, object_index.rid AS tie ${sql}`,
    params,
  }),
  spareMatches: 100,
  async insert(tx, texts) {
    for (const text of texts) await insertSearchText(tx, text.rid, text);
  },
  async delete(tx, rid) {
    await tx.run("DELETE FROM object_fts WHERE rowid = ?", [rid]);
  },
};

export function insertSearchText(tx: Tx, rid: number, text: SearchText): Promise<number> | undefined {
  if (text.title === "" && text.body === "") return undefined;
  const mark = markOf(text.collection);
  return tx.run(insertText, [rid, marked(mark, text.title), marked(mark, text.body)]);
}

function marked(mark: string, words: string): string {
  return words === "" ? "" : mark + words.replaceAll(" ", ` ${mark}`);
}
