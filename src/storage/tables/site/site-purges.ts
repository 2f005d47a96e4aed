// Tags of pages that a CDN must drop: a row for each transaction, until it is announced.

import type { Tx } from "#storage/port.ts";

export async function insertPurge(tx: Tx, tags: readonly string[]): Promise<void> {
  await tx.run("INSERT INTO site_purges (tags) VALUES (?)", [JSON.stringify(tags)]);
}

/** The tags of the oldest rows, and how many rows these were. A row that is not committed yet stays, whatever its number. */
export async function takePurges(tx: Tx, most: number): Promise<{ count: number; tags: Set<string> }> {
  const rows = await tx.all<{ seq: number; tags: string }>(
    "SELECT seq, tags FROM site_purges WHERE seq > 0 ORDER BY seq LIMIT ?",
    [most],
  );
  if (rows.length > 0)
    await tx.run(
      `DELETE FROM site_purges WHERE seq IN (${rows.map(() => "?").join(", ")})`,
      rows.map(({ seq }) => seq),
    );
  return { count: rows.length, tags: new Set(rows.flatMap(({ tags }) => JSON.parse(tags) as string[])) };
}
