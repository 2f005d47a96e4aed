// Takes contents out of the records of the log. The hash of what was there takes its place, so that seals still hold. The log
// counts the bytes of sealed contents: what is sealed or taken out locks its row first, so that the count stays exact.

import type { Place, Reader, Tx } from "#storage/port.ts";
import { findLastSeal } from "./seals.ts";

/** The bytes of what a record keeps; neither engine reads the values for it. */
export const bytesOf = "COALESCE(OCTET_LENGTH(content), 0) + COALESCE(OCTET_LENGTH(secrets), 0)";

/** What is kept of a record, as it was read. */
export interface KeptContent {
  seq: number;
  rid: number;
  content: string | null;
  secrets: string | null;
  contentHash: string | null;
}

export const contentColumns = `seq, rid, content, secrets, content_hash AS "contentHash"`;

/** Before sealed contents change in this transaction. */
export async function lockBytes(tx: Tx): Promise<void> {
  await tx.run("UPDATE change_log SET bytes = bytes WHERE one = 1");
}

export async function countBytes(tx: Tx, more: number): Promise<void> {
  if (more !== 0) await tx.run("UPDATE change_log SET bytes = bytes + ? WHERE one = 1", [more]);
}

export async function readBytes(db: Reader): Promise<number> {
  const row = await db.one<{ bytes: number }>("SELECT bytes FROM change_log WHERE one = 1");
  return Number(row?.bytes ?? 0);
}

/** A content that is to change: `hash` says what it was, `left` is what stays. */
export interface ContentChange extends Pick<KeptContent, "seq" | "rid" | "contentHash"> {
  hash: string;
  /** Of what was there. */
  bytes: number;
  left?: Contents | undefined;
}

type Contents = Pick<KeptContent, "content" | "secrets">;
const nothing: Contents = { content: null, secrets: null };

/** Rows that one statement changes: each statement may be a journey to the database. */
const changedAtOnce = 100;
const givenContent =
  "(CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))";

/** Changes contents that are still as they were read; returns how many were. `isSealed`: the caller knows that all of them are. */
export async function changeContents(tx: Tx, changes: readonly ContentChange[], isSealed: boolean): Promise<number> {
  await lockBytes(tx);
  const seal = isSealed ? undefined : await findLastSeal(tx);
  let done = 0;
  let bytes = 0;
  for (let from = 0; from < changes.length; from += changedAtOnce) {
    const some = changes.slice(from, from + changedAtOnce);
    const changed = await changeSome(tx, some);
    done += changed.size;
    for (const change of some) {
      if (!changed.has(change.seq)) continue;
      const isCounted = isSealed || (seal !== undefined && (await isUpTo(tx, seal, change)));
      if (isCounted) bytes += lengthOf(change.left ?? nothing) - change.bytes;
    }
  }
  await countBytes(tx, bytes);
  tx.touch("changes");
  return done;
}

/** The numbers of those that were as they were read. */
async function changeSome(tx: Tx, changes: readonly ContentChange[]): Promise<Set<number>> {
  const rows = await tx.all<{ seq: number }>(
    `WITH given (rid, seq, was, content, secrets, hash) AS (VALUES ${changes.map(() => givenContent).join(", ")})
     UPDATE changes SET content = given.content, secrets = given.secrets, content_hash = given.hash FROM given
     WHERE changes.rid = given.rid AND changes.seq = given.seq AND changes.content_hash IS NOT DISTINCT FROM given.was
     RETURNING changes.seq AS seq`,
    changes.flatMap(({ rid, seq, contentHash, hash, left: { content, secrets } = nothing }) => [
      ...[rid, seq, contentHash, content, secrets, hash],
    ]),
  );
  return new Set(rows.map(({ seq }) => seq));
}

async function isUpTo(tx: Tx, place: Place, { rid, seq }: Pick<KeptContent, "rid" | "seq">): Promise<boolean> {
  const upTo = tx.dialect.log.upTo(place);
  const found = await tx.one(`SELECT 1 AS found FROM changes WHERE ${upTo.sql} AND rid = ? AND seq = ?`, [
    ...upTo.params,
    rid,
    seq,
  ]);
  return found !== undefined;
}

export function lengthOf({ content, secrets }: Contents): number {
  return Buffer.byteLength(content ?? "") + Buffer.byteLength(secrets ?? "");
}

export interface KeptNote {
  seq: number;
  rid: number;
  note: string;
}

/** The notes of the changes of one object, after a number. */
export function listNotes(db: Reader, rid: number, after: number, limit: number): Promise<KeptNote[]> {
  return db.all<KeptNote>(
    "SELECT seq, rid, note FROM changes WHERE rid = ? AND seq > ? AND note IS NOT NULL ORDER BY seq LIMIT ?",
    [rid, after, limit],
  );
}

/** Its hash stands in its place. */
export function eraseNote(tx: Tx, { seq, rid }: Pick<KeptNote, "seq" | "rid">, hash: string): Promise<number> {
  return tx.run("UPDATE changes SET note = NULL, note_hash = ? WHERE rid = ? AND seq = ? AND note IS NOT NULL", [
    hash,
    rid,
    seq,
  ]);
}
