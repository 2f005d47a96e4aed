// Documents that the database itself joins to the text of an answer: none is made into a string, and nothing is encoded.
// Used by the embedded engine's threads too, so it knows nothing of the app.

import type { Dialect, JoinedDocuments, Question, Row } from "#storage/port.ts";
import type { Page } from "./selection.ts";

/** An answer of more bytes is refused. */
export const maxAnswerBytes = 32 * 1024 * 1024;
/** Larger documents come in rows, which can be counted one by one. */
export const maxJoinedBytes = 256 * 1024;
const [comma, open, close] = [",", "{", "}"].map((sign) => sign.charCodeAt(0));
const end = "]".charCodeAt(0);
const encoder = new TextEncoder();

type Documents = NonNullable<Question["documents"]>;

export function canJoin({ scans }: Dialect, { limit }: Page): boolean {
  return scans.joined !== undefined && limit * maxJoinedBytes <= maxAnswerBytes;
}

/** What one statement found. */
interface Piece {
  text: Uint8Array;
  leastRev: string | null;
  mostRev: string | null;
}

/** All but its document, which is in the text of its piece. */
interface JoinedRow extends Row {
  bytes: number;
  piece: Piece;
}

/** The row of a joined statement -> the rows that it contains. */
export function unfold([row]: Row[]): Row[] {
  const { found, ...piece } = row as unknown as Piece & { found: string };
  const rows = JSON.parse(found) as JoinedRow[];
  for (const each of rows) each.piece = piece;
  return rows;
}

/** Undefined: one of them is not whole, too large, or of another revision. */
export function joinUnfolded(found: Row[], { rev, most }: Documents): JoinedDocuments | undefined {
  const rows = found.slice(0, most) as JoinedRow[];
  const pieces = [...new Set(rows.map(({ piece }) => piece))];
  if (!pieces.every(({ leastRev, mostRev }) => leastRev === rev && mostRev === rev)) return undefined;
  const text = textOf(pieces);
  let at = 1;
  for (const { bytes } of rows) {
    const isWhole = text[at] === open && text[at + bytes - 1] === close;
    if (bytes > maxJoinedBytes || !isWhole) return undefined;
    at += bytes + 1;
  }
  const { bytes: _, piece: __, ...last } = rows.at(-1) ?? {};
  if (rows.length > 0) text[at - 1] = end;
  return {
    text: rows.length > 0 ? text.subarray(0, at) : text,
    count: rows.length,
    hasMore: found.length > rows.length,
    last: rows.length > 0 ? last : undefined,
  };
}

/** In memory of its own, so that a thread can hand it over. */
function textOf([first, ...others]: Piece[]): Uint8Array {
  let text = first?.text ?? encoder.encode("[]");
  for (const piece of others) {
    const both = new Uint8Array(text.length + piece.text.length - 1);
    both.set(text);
    both.set(piece.text, text.length - 1);
    both[text.length - 1] = comma as number;
    text = both;
  }
  return text;
}

export function joinDocuments(found: Row[], { rev, most }: Documents): JoinedDocuments | undefined {
  const rows = found.slice(0, most);
  if (!rows.every((row) => row.schemaRev === rev && isWhole(String(row.doc)))) return undefined;
  const { doc: _, ...last } = rows.at(-1) ?? {};
  return {
    text: encoder.encode(`[${rows.map(({ doc }) => doc).join(",")}]`),
    count: rows.length,
    hasMore: found.length > rows.length,
    last: rows.length > 0 ? last : undefined,
  };
}

/** Not parsed for that: what was cut off or wiped out shows at the ends. */
export function isWhole(text: string): boolean {
  return text.startsWith("{") && text.endsWith("}");
}
