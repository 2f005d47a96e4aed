// The hashes of the log: of each record, of a range of them, and of the chain of ranges. The key is derived from the site key,
// so nobody who holds the database alone can make them. A record's number and transaction are not part of it, since a restored
// backup gives new ones; its place in the range is.

import { createHmac, hkdfSync } from "node:crypto";
import { perInstance } from "#base/per-instance.ts";
import { getSiteKey } from "#base/secrets.ts";
import type { App } from "#context.ts";
import type { SealedRow } from "#storage/tables/history/seals.ts";

/** Of the hash of each record so much is kept, to find the one that was altered. */
const markLength = 12;

const keyOf = perInstance((settings: App["settings"]) =>
  Buffer.from(hkdfSync("sha256", getSiteKey(settings.dataDir), "", "cairn history seal", 32)),
);

export interface Hasher {
  /** Of what a record keeps; stands in its place once it is taken out. */
  content(row: Pick<SealedRow, "content" | "secrets">): string;
  /** Stands for content of which a part was taken out: the hash of what it was, and that of what is left. */
  rest(was: string, row: Pick<SealedRow, "content" | "secrets">): string;
  /** Undefined: what is left of its content is not what was left. */
  record(row: SealedRow): string | undefined;
  range(records: readonly string[]): string;
  root(previous: string, range: string, count: number): string;
}

export function hasherOf({ settings }: Pick<App, "settings">): Hasher {
  const key = keyOf(settings);
  const hmac = (...parts: readonly (string | number | null)[]) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
  const content: Hasher["content"] = (row) => hmac("content", row.content, row.secrets);
  const rest: Hasher["rest"] = (was, row) => `${was}.${hmac("rest", was, row.content, row.secrets)}`;
  return {
    content,
    rest,
    record(row) {
      const inner = innerHash(row, content, rest);
      if (inner === undefined) return undefined;
      const { at, rid, rev, kind, flags, writer, approver, proposal, collection, id, layer, note, props } = row;
      const header = [at, rid, rev, kind, flags, writer, approver, proposal, collection, id, layer, note, props];
      return hmac("record", ...header, inner);
    },
    range: (records) => hmac("range", ...records),
    root: (previous, range, count) => hmac("root", previous, range, count),
  };
}

function innerHash(row: SealedRow, content: Hasher["content"], rest: Hasher["rest"]): string | undefined {
  if (row.contentHash === null) return content(row);
  const [was = "", left] = row.contentHash.split(".");
  if (left === undefined) return row.content === null && row.secrets === null ? was : undefined;
  return rest(was, row) === row.contentHash ? was : undefined;
}

export function marksOf(records: readonly string[]): string {
  return records.map((hash) => hash.slice(0, markLength)).join("");
}

export function splitMarks(marks: string): string[] {
  return marks.match(/.{12}/g) ?? [];
}

export function markOf(hash: string | undefined): string {
  return hash?.slice(0, markLength) ?? "";
}
