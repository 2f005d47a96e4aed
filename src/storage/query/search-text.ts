// Keeps the full-text index. The text comes folded to plain words separated by spaces, so that both engines
// hold the same words; search.ts asks for them. One index serves all collections, and each word carries the mark of its
// own: what a search costs and finds depends on the words of that collection alone (decision 022).

import { hash } from "node:crypto";
import { fingerprint } from "#base/text.ts";
import type { Tx } from "#storage/port.ts";
import type { IndexEntry } from "#storage/tables/objects.ts";

type SearchText = Pick<IndexEntry, "title" | "body"> & { collection: string };

/** A letter for full-text indexes that is in no folded word (it is folded to `a`): no word begins with another's mark. */
const sign = "ª";
const markLength = 5;

/** What the words of a collection begin with. Two collections may share one by chance; that costs time, and nothing else. */
export function markOf(collection: string): string {
  const number = Number.parseInt(hash("sha1", collection).slice(0, 12), 16) % 36 ** markLength;
  return sign + number.toString(36).padStart(markLength, "0");
}

function marked(mark: string, words: string): string {
  return words === "" ? "" : mark + words.replaceAll(" ", ` ${mark}`);
}

/** What the database server keeps at most: words above are counted from the beginning again, longer texts are cut. */
const maxPosition = 16_383;
const maxBytes = 900_000;
/** Places of words beyond their first ones, two bytes each: with the words themselves they stay below a megabyte. */
const maxPlaces = 60_000;
const maxWordLength = 500;

/** One word, quoted for a vector or a query of the database server. */
export function lexeme(mark: string, word: string): string {
  return `'${mark}${word.slice(0, maxWordLength).replace(/['\\]/g, "$&$&")}'`;
}

export function insertSearchText(tx: Tx, rid: number, text: SearchText): Promise<number> | undefined {
  if (text.title === "" && text.body === "") return undefined;
  if (tx.dialect.name !== "sqlite")
    return tx.run("INSERT INTO object_fts (rid, words) VALUES (?, ?::tsvector)", [rid, wordVector(text)]);
  const mark = markOf(text.collection);
  const values = [rid, marked(mark, text.title), marked(mark, text.body)];
  return tx.run("INSERT INTO object_fts (rowid, title, body) VALUES (?, ?, ?)", values);
}

/** As one by one, in fewer statements where each is a journey. */
export async function insertSearchTexts(tx: Tx, texts: readonly (SearchText & { rid: number })[]): Promise<void> {
  if (tx.dialect.name === "sqlite") {
    for (const text of texts) await insertSearchText(tx, text.rid, text);
    return;
  }
  const filled = texts.filter(({ title, body }) => title !== "" || body !== "");
  if (filled.length === 0) return;
  await tx.run(
    `INSERT INTO object_fts (rid, words) VALUES ${filled.map(() => "(?, ?::tsvector)").join(", ")}`,
    filled.flatMap((text) => [text.rid, wordVector(text)]),
  );
}

export async function replaceSearchText(tx: Tx, rid: number, text: SearchText): Promise<void> {
  await deleteSearchText(tx, rid);
  await insertSearchText(tx, rid, text);
}

export async function deleteSearchText(tx: Tx, rid: number): Promise<void> {
  await tx.run(`DELETE FROM object_fts WHERE ${tx.dialect.name === "sqlite" ? "rowid" : "rid"} = ?`, [rid]);
}

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

/** Changes with the words that are kept, and with the mark that they are kept under. */
export function textHash({ collection, title, body }: SearchText): string {
  return fingerprint(`${markOf(collection)}\n${title}\n${body}`);
}
