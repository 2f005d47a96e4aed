// Reads a whole backup from end to end and compares it with its manifest. Changes nothing, trusts nothing.

import type { Json } from "#contract/json.ts";
import { type ArchiveReader, type Checked, check, openArchive, readLines } from "./archive.ts";
import {
  atticListName,
  fileListName,
  type Manifest,
  manifestName,
  readAtticList,
  readFileList,
  readManifest,
  tableEntry,
} from "./format.ts";

export interface Verdict {
  isWhole: boolean;
  version: string;
  created: string;
  objects: number;
  files: number;
  problems: string[];
}

export type OnEntry = (done: number, total: number) => void;

export async function verifyBackup(file: string, onEntry: OnEntry = () => {}): Promise<Verdict> {
  const archive = await openArchive(file);
  try {
    const manifest = await readManifest(archive);
    const problems = await findProblems(archive, manifest, onEntry);
    const { version, created, tables, files } = manifest;
    const objects = tables.find(({ name }) => name === "objects")?.rows ?? 0;
    return { isWhole: problems.length === 0, version, created, objects, files, problems };
  } finally {
    archive.close();
  }
}

export async function findProblems(archive: ArchiveReader, manifest: Manifest, onEntry: OnEntry): Promise<string[]> {
  const problems: string[] = [];
  const names = new Set(archive.names());
  const expected = new Map<string, Checked>(Object.entries(manifest.entries));
  if (!expected.has(fileListName)) return ["The list of files is missing."];
  const rowsOf = new Map(manifest.tables.map(({ name, rows }) => [tableEntry(name), rows]));
  for (const entry of rowsOf.keys()) if (!expected.has(entry)) problems.push(`${entry} is missing.`);
  for (const name of [fileListName, atticListName]) {
    const wanted = expected.get(name);
    const problem = wanted && (await check1(archive, name, wanted));
    if (problem) return [problem];
  }
  for (const read of [readFileList, readAtticList])
    for (const [entry, line] of await read(archive)) expected.set(entry, line);

  let done = 0;
  for (const [name, wanted] of expected) {
    const problem = names.has(name) ? await check1(archive, name, wanted) : `${name} is missing.`;
    if (problem) problems.push(problem);
    const rows = rowsOf.get(name);
    if (!problem && rows !== undefined && (await countLines(archive, name)) !== rows) {
      problems.push(`${name} has not the ${rows} rows that it should have.`);
    }
    done += 1;
    onEntry(done, expected.size);
  }
  for (const name of names) {
    if (!expected.has(name) && name !== manifestName) problems.push(`${name} is not in the manifest.`);
  }
  return problems;
}

async function check1(archive: ArchiveReader, name: string, wanted: Checked): Promise<string | undefined> {
  const { chunks, result } = check(archive.read(name));
  try {
    for await (const _ of chunks);
  } catch {
    return `${name} is damaged.`;
  }
  const { size, sha256 } = result();
  return size === wanted.size && sha256 === wanted.sha256 ? undefined : `${name} is damaged.`;
}

/** -1 when a line is not JSON. */
async function countLines(archive: ArchiveReader, name: string): Promise<number> {
  let count = 0;
  try {
    for await (const _ of readLines<Json>(archive.read(name))) count += 1;
  } catch {
    return -1;
  }
  return count;
}
