// The hashes of the log: of each record, of a range of them, and of the chain of ranges. The key is derived from the site key,
// so nobody who holds the database alone can make them. A record's number and transaction are not part of it, since a restored
// backup gives new ones; its place in the range is.

import { createHmac, hkdfSync } from "node:crypto";
import { perInstance } from "#base/per-instance.ts";
import { getSiteKey } from "#base/secrets.ts";
import type { App } from "#context.ts";
import type { SealedRow } from "#storage/tables/history/seals.ts";
import type { WriterRow } from "#storage/tables/history/writers.ts";

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
  /** `writer`: its hash. Undefined: what is left of its content, or of its writer, is not what was left. */
  record(row: SealedRow, writer: string | undefined): string | undefined;
  range(records: readonly string[]): string;
  root(previous: string, range: string, count: number): string;
  /** Of a writer, as it was before a pseudonym took its place. */
  writer(row: WriterRow | undefined): string | undefined;
  /** Stands for the names of a writer: what they were, and what stands there now. */
  pseudonym(was: string, row: WriterRow): string;
  /** Stands for a note that was erased. */
  note(text: string): string;
  /** Says that the records of a seal were removed by the retention. */
  removed(number: number, root: string): string;
}

export function hasherOf({ settings }: Pick<App, "settings">): Hasher {
  const key = keyOf(settings);
  const hmac = (...parts: readonly (string | number | null)[]) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
  const content: Hasher["content"] = (row) => hmac("content", row.content, row.secrets);
  const rest: Hasher["rest"] = (was, row) => `${was}.${hmac("rest", was, row.content, row.secrets)}`;
  const pseudonym: Hasher["pseudonym"] = (was, row) => `${was}.${hmac("pseudonym", was, ...namesOf(row))}`;
  const note: Hasher["note"] = (text) => hmac("note", text);
  return {
    content,
    rest,
    record(row, writer) {
      const inner = innerHash(row, content, rest);
      if (inner === undefined || writer === undefined) return undefined;
      const { at, rid, rev, kind, flags, approver, proposal, collection, id, layer, props } = row;
      const noted = row.note === null ? row.noteHash : note(row.note);
      const header = [at, rid, rev, kind, flags, row.writer, writer, approver, proposal, collection, id, layer, noted];
      return hmac("record", ...header, props, inner);
    },
    range: (records) => hmac("range", ...records),
    root: (previous, range, count) => hmac("root", previous, range, count),
    writer(row) {
      if (!row) return hmac("writer", null);
      if (row.was === null) return hmac("writer", ...namesOf(row));
      const [was = ""] = row.was.split(".");
      return pseudonym(was, row) === row.was ? was : undefined;
    },
    pseudonym,
    note,
    removed: (number, root) => hmac("removed", number, root),
  };
}

/** All that says who a writer is. */
function namesOf(row: WriterRow): (string | number | null)[] {
  const { id, mark, actor, userId, impersonator, keyId, keyName, clientId, clientName, grantId } = row;
  const { automation, door, run, first } = row;
  const caller = [id, mark, actor, userId, impersonator, keyId, keyName, clientId, clientName, grantId];
  return [...caller, automation, door, run, first];
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
