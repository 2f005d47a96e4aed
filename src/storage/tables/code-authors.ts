// The author of code that the service runs later, by its object.

import type { Reader, Tx } from "#storage/port.ts";

export interface CodeAuthorRow {
  /** Of the code that was saved. */
  digest: string;
  /** JSON. */
  author: string;
}

export function findCodeAuthor(db: Reader, collection: string, id: string): Promise<CodeAuthorRow | undefined> {
  return db.one<CodeAuthorRow>("SELECT digest, author FROM code_authors WHERE collection = ? AND object_id = ?", [
    collection,
    id,
  ]);
}

export async function putCodeAuthor(tx: Tx, collection: string, id: string, row: CodeAuthorRow): Promise<void> {
  await tx.run(
    `INSERT INTO code_authors (collection, object_id, digest, author) VALUES (?, ?, ?, ?)
     ON CONFLICT (collection, object_id) DO UPDATE SET digest = excluded.digest, author = excluded.author`,
    [collection, id, row.digest, row.author],
  );
}

export async function deleteCodeAuthor(tx: Tx, collection: string, id: string): Promise<void> {
  await tx.run("DELETE FROM code_authors WHERE collection = ? AND object_id = ?", [collection, id]);
}

export async function deleteCodeAuthors(tx: Tx, collection: string): Promise<void> {
  await tx.run("DELETE FROM code_authors WHERE collection = ?", [collection]);
}
