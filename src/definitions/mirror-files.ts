// The files of the mirror: they are written whole, follow no link out of their folder, and an edit that nobody has taken in
// is never lost: it is kept beside its file.

import { constants } from "node:fs";
import { copyFile, lstat, open, realpath, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, syncFolder, writeFileAtomic } from "#base/files.ts";
import { type DefinitionRow, definitionHash } from "#storage/tables/nodes/definitions.ts";
import { type FileKind, listFiles, pathOf, stampOf } from "./kinds.ts";

interface Log {
  warn(fields: object, message: string): void;
}

interface PlaceOptions {
  /** Of a text that was once in step with the database. */
  isKnown(hash: string): boolean;
  /** A file that is there stays, whatever it has. */
  isLeftAlone?: boolean;
  log: Log;
}

const maxBytes = 4 * 1024 * 1024;

/** Undefined: there is no such file, or it is no plain one, or too large. */
export async function readFileText(kind: FileKind, id: string): Promise<string | undefined> {
  try {
    const file = await open(pathOf(kind, id), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const status = await file.stat();
      return status.isFile() && status.size <= maxBytes ? await file.readFile("utf8") : undefined;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Writes the content of the row, unless the file has it. Returns the status of the file. */
export async function placeFile(
  kind: FileKind,
  row: DefinitionRow,
  options: PlaceOptions,
): Promise<string | undefined> {
  const path = pathOf(kind, row.id);
  const present = await readFileText(kind, row.id);
  if (present !== row.content) {
    if (present !== undefined && options.isLeftAlone) return undefined;
    const isEdit = present !== undefined && !options.isKnown(definitionHash(present));
    if (isEdit) {
      await keepBeside(kind, row.id, "conflict");
      options.log.warn({ file: path }, "an edited definition had changed elsewhere; the edit is kept as .conflict");
    }
    const isPrivate = kind.mode === 0o600;
    const made = await makeFolder(dirname(path), isPrivate ? 0o700 : undefined);
    if (!(await isInside(kind, row.id))) {
      options.log.warn({ file: path }, "the folder of a definition is a link; it is not written");
      return undefined;
    }
    await writeFileAtomic(path, row.content, kind.mode);
    for (const parent of made) await syncFolder(parent);
    const time = new Date(row.updated);
    if (!Number.isNaN(time.getTime())) await utimes(path, time, time);
  }
  return stampOf(await lstat(path, { bigint: true }));
}

export async function dropFile(kind: FileKind, id: string, { isKnown, log }: PlaceOptions): Promise<void> {
  const present = await readFileText(kind, id);
  if (present === undefined || !(await isInside(kind, id))) return;
  if (!isKnown(definitionHash(present))) {
    await keepBeside(kind, id, "conflict");
    log.warn({ file: pathOf(kind, id) }, "an edited definition was deleted elsewhere; the edit is kept as .conflict");
  }
  const path = pathOf(kind, id);
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

export async function keepBeside(kind: FileKind, id: string, word: "conflict" | "rejected"): Promise<void> {
  const path = pathOf(kind, id);
  const kept = `${path}.${word}`;
  // A link of that name would lead elsewhere.
  await rm(kept, { force: true });
  await copyFile(path, kept, constants.COPYFILE_EXCL);
  await syncFolder(dirname(path));
}

/** Edits that were not taken in, by the id of the definition. */
export async function listBeside(kind: FileKind): Promise<{ id: string; word: "conflict" | "rejected" }[]> {
  const found: { id: string; word: "conflict" | "rejected" }[] = [];
  for (const word of ["conflict", "rejected"] as const)
    for (const id of (await listFiles({ ...kind, ending: `${kind.ending}.${word}` })).keys()) found.push({ id, word });
  return found;
}

async function isInside(kind: FileKind, id: string): Promise<boolean> {
  try {
    const expected = dirname(join(await realpath(kind.folder), ...id.split("/")));
    return (await realpath(dirname(pathOf(kind, id)))) === expected;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes((error as NodeJS.ErrnoException).code ?? "");
}
