// The last lines and crashes of each extension.

import type { Reader, Tx } from "#storage/port.ts";

export interface LogRow {
  id: number;
  at: string;
  level: string;
  text: string;
  data: string;
  crash: number;
}

/** `keep`: so many of the last lines stay, and so many crashes beside them, which no flood of lines hides. */
export async function insertLogLines(
  tx: Tx,
  extension: string,
  lines: readonly Omit<LogRow, "id">[],
  keep: { lines: number; crashes: number },
): Promise<void> {
  for (const { at, level, text, data, crash } of lines)
    await tx.run("INSERT INTO extension_log (extension, at, level, text, data, crash) VALUES (?, ?, ?, ?, ?, ?)", [
      ...[extension, at, level, text, data],
      crash,
    ]);
  for (const [crash, kept] of [keep.lines, keep.crashes].entries()) {
    const [oldest] = await tx.all<{ id: number }>(
      "SELECT id FROM extension_log WHERE extension = ? AND crash = ? ORDER BY id DESC LIMIT 1 OFFSET ?",
      [extension, crash, kept],
    );
    if (oldest)
      await tx.run("DELETE FROM extension_log WHERE extension = ? AND crash = ? AND id <= ?", [
        ...[extension, crash],
        oldest.id,
      ]);
  }
}

/** Oldest first, after the given one. */
export function listLogLines(db: Reader, extension: string, after: number): Promise<LogRow[]> {
  return db.all<LogRow>(
    "SELECT id, at, level, text, data, crash FROM extension_log WHERE extension = ? AND id > ? ORDER BY id",
    [extension, after],
  );
}

export async function deleteLogLines(tx: Tx, extension: string): Promise<void> {
  await tx.run("DELETE FROM extension_log WHERE extension = ?", [extension]);
}
