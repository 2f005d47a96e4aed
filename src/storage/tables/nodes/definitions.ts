// Definitions that all nodes share: texts by kind and id. A change may name what it was made from, and fails when
// another node was faster.

import { hash } from "node:crypto";
import type { Reader, Tx } from "#storage/port.ts";

export interface DefinitionHead {
  kind: string;
  id: string;
  /** Of the content. */
  hash: string;
  rev: number;
  updated: string;
}

export interface DefinitionRow extends DefinitionHead {
  content: string;
  /** Earlier hashes, newest first. */
  former: string[];
}

export interface DefinitionChange {
  kind: string;
  id: string;
  /** Null deletes. */
  content: string | null;
  updated: string;
  /** The content that this change was made from; null: there is none. Left out: whatever it is. */
  expected?: Pick<DefinitionHead, "hash" | "rev"> | null;
  /** Further texts that stand for this content, as an edit that was stored in another form. */
  known?: readonly string[];
}

const formerKept = 20;
const atOnce = 100;

export function definitionHash(content: string): string {
  return hash("sha256", content, "base64url");
}

export async function listDefinitions(db: Reader, kinds: readonly string[]): Promise<DefinitionHead[]> {
  const places = kinds.map(() => "?").join(", ");
  return db.all<DefinitionHead>(
    `SELECT kind, id, hash, rev, updated FROM definitions WHERE kind IN (${places})`,
    kinds,
  );
}

export async function findDefinitions(db: Reader, kind: string, ids: readonly string[]): Promise<DefinitionRow[]> {
  const found: DefinitionRow[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    const rows = await db.all<Omit<DefinitionRow, "former"> & { former: string }>(
      `SELECT kind, id, hash, rev, updated, content, former FROM definitions
       WHERE kind = ? AND id IN (${some.map(() => "?").join(", ")})`,
      [kind, ...some],
    );
    for (const row of rows) found.push({ ...row, former: JSON.parse(row.former) });
  }
  return found;
}

/** False: the present content is not the expected one, and nothing was changed. */
export async function changeDefinition(tx: Tx, change: DefinitionChange): Promise<boolean> {
  const { kind, id, content, updated, expected, known = [] } = change;
  const present = await tx.one<{ hash: string; rev: number; former: string }>(
    `SELECT hash, rev, former FROM definitions WHERE kind = ? AND id = ? ${tx.dialect.forUpdate}`,
    [kind, id],
  );
  if (expected === null && present) return false;
  if (expected && (present?.hash !== expected.hash || present.rev !== expected.rev)) return false;
  tx.touch("definitions");
  if (content === null) {
    await tx.run("DELETE FROM definitions WHERE kind = ? AND id = ?", [kind, id]);
    return true;
  }
  const earlier: string[] = present ? [present.hash, ...JSON.parse(present.former)] : [];
  const former = JSON.stringify([...known.map(definitionHash), ...earlier].slice(0, formerKept));
  const values = [content, definitionHash(content), former, (present?.rev ?? 0) + 1, updated];
  if (present) {
    await tx.run(
      "UPDATE definitions SET content = ?, hash = ?, former = ?, rev = ?, updated = ? WHERE kind = ? AND id = ?",
      [...values, kind, id],
    );
    return true;
  }
  const inserted = await tx.run(
    `INSERT INTO definitions (content, hash, former, rev, updated, kind, id) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, id) DO NOTHING`,
    [...values, kind, id],
  );
  if (inserted > 0) return true;
  // Another transaction has just inserted it.
  return expected === undefined ? changeDefinition(tx, change) : false;
}
