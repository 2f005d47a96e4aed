// The full-text index of PostgreSQL: one `tsvector` for each object, made here, so that the server folds no words itself.

import type { SearchDialect, SearchText } from "#storage/port.ts";
import { findMatchText, markedMatchText, type QuerySpelling } from "#storage/query/search.ts";
import { markOf } from "#storage/query/search-text.ts";

/** What the server stores at most: words above are counted from the beginning again, longer texts are cut. */
const maxPosition = 16_383;
const maxBytes = 900_000;
/** Positions of words beyond their first ones, two bytes each: with the words themselves they stay below a megabyte. */
const maxPlaces = 60_000;
const maxWordLength = 500;
/** Ranking reads every match, so at most these are ranked; the rest follow by id. */
const rankedMatches = 2_000;

const spelling: QuerySpelling = {
  phrase: (words, mark, isPrefix) =>
    `(${words.map((word) => lexeme(mark, word)).join(" <-> ")}${isPrefix ? ":*" : ""})`,
  and: " & ",
  or: " | ",
};

/** One word, quoted for a vector or a query. */
function lexeme(mark: string, word: string): string {
  return `'${mark}${word.slice(0, maxWordLength).replace(/['\\]/g, "$&$&")}'`;
}

const from = { sql: "object_fts JOIN object_index ON object_index.rid = object_fts.rid", params: [] };

export const postgresSearch: SearchDialect = {
  matchText: (collection, search) => findMatchText(collection, search, spelling),
  matches({ collection, search }) {
    const match = findMatchText(collection, search, spelling);
    const condition =
      match === undefined ? { sql: "false", params: [] } : { sql: "object_fts.words @@ ?::tsquery", params: [match] };
    return { from, conditions: [condition] };
  },
  ranked({ sql, params }, { collection, search }, last) {
    // A limited number of matches is searched, unless the page is beyond them.
    const enough = last <= rankedMatches ? ` LIMIT ${rankedMatches}` : "";
    const rank = `(SELECT -ts_rank('{0.1, 0.1, 0.1, 1}', words, ?::tsquery)::float8 FROM object_fts WHERE rid = found.rid)`;
    return {
      sql: `SELECT rid, rid AS tie, CASE WHEN place <= ${rankedMatches} THEN ${rank} ELSE 0 END AS k0
      FROM (SELECT object_index.rid, row_number() OVER () AS place ${sql}${enough}) AS found`,
      params: [markedMatchText(markOf(collection), search, spelling), ...params],
    };
  },
  async insert(tx, texts) {
    const filled = texts.filter(({ title, body }) => title !== "" || body !== "");
    if (filled.length === 0) return;
    await tx.run(
      `INSERT INTO object_fts (rid, words) VALUES ${filled.map(() => "(?, ?::tsvector)").join(", ")}`,
      filled.flatMap((text) => [text.rid, wordVector(text)]),
    );
  },
  async delete(tx, rid) {
    await tx.run("DELETE FROM object_fts WHERE rid = ?", [rid]);
  },
};

/** `'word':1A,7 'other':2`: title words weigh A. A gap keeps phrases from running from the title into the body. */
export function wordVector(text: SearchText): string {
  const mark = markOf(text.collection);
  const positions = new Map<string, string[]>();
  let position = 0;
  let restart = 1;
  let bytes = 0;
  let places = 0;
  const add = (words: string, weight: string): void => {
    for (const whole of words.split(" ")) {
      if (whole === "") continue;
      const word = whole.slice(0, maxWordLength);
      position = position < maxPosition ? position + 1 : restart;
      let list = positions.get(word);
      if (!list) {
        bytes += Buffer.byteLength(word) + Buffer.byteLength(mark) + 6;
        if (bytes > maxBytes) return;
        list = [];
        positions.set(word, list);
      }
      const isFirst = list.length === 0;
      if (!isFirst && (list.length >= 255 || places >= maxPlaces)) continue;
      if (!isFirst) places += 1;
      list.push(`${position}${weight}`);
    }
  };
  add(text.title, "A");
  position = Math.min(position + 1, maxPosition - 1);
  restart = position + 1;
  add(text.body, "");
  return [...positions].map(([word, list]) => `${lexeme(mark, word)}:${list.join(",")}`).join(" ");
}
