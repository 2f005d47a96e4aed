// Snapshots: what a schema, a collection's settings or an object was before it was overwritten.
// `{data_dir}/.system/backups/{schemas|collections|objects/{collection}}/{id}/{id}-YYYYMMDD-HHMMSS[-N].json`, for their
// owner only. The newest ten of each stay; none replaces another; content that the newest holds already adds none.

import { constants, type Dirent } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "#base/errors.ts";
import { createFileAtomic } from "#base/files.ts";
import { findCollection } from "#content/collections.ts";
import { findRawSchema } from "#content/flatten.ts";
import { storedDocument } from "#content/write.ts";
import type { App } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { findCollectionRow } from "#storage/collections.ts";
import { findObject } from "#storage/objects.ts";

export interface SnapshotTarget {
  kind: "schema" | "collection" | "object";
  /** Of an object. */
  collection?: string;
  id: string;
}

export interface Snapshot extends SnapshotTarget {
  /** Its path below the folder of the snapshots. */
  file: string;
  /** ISO time at which the content was replaced. */
  created: string;
}

const kept = 10;
const idForm = "[a-z0-9_]+(?:-+[a-z0-9_]+)*";
const fileForm = new RegExp(
  `^(?:(schemas|collections)|objects/(${idForm}))/(${idForm})/\\3-(\\d{8}-\\d{6})(?:-(\\d+))?\\.json$`,
);

/** Keeps what is stored now. Undefined when there is nothing, or the newest snapshot holds the same. */
export async function snapshot(app: App, target: SnapshotTarget): Promise<string | undefined> {
  const content = await findPresent(app, target);
  return content && keepSnapshot(app, placeOf(target), { text: snapshotText(content), now: app.clock.iso() });
}

async function findPresent(app: App, { kind, collection = "", id }: SnapshotTarget): Promise<JsonObject | undefined> {
  if (kind === "schema") return findRawSchema(app, id) as JsonObject | undefined;
  if (kind === "collection") {
    const row = await findCollectionRow(app.storage, id);
    return row && presentSettings(row);
  }
  const row = await findObject(app.storage, collection, id);
  const schema = row && (await findCollection(app, collection))?.schema;
  return schema && storedDocument(app, schema, row);
}

/** The settings of a collection as a snapshot holds them. */
export function presentSettings({ settings, updated }: { settings: string; updated: string }): JsonObject {
  return { ...(JSON.parse(settings) as JsonObject), updated };
}

export function snapshotText(content: Json): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The folder of an item's snapshots, below that of all. */
export function placeOf({ kind, collection, id }: SnapshotTarget): string {
  return kind === "object" ? `objects/${collection}/${id}` : `${kind}s/${id}`;
}

/** The path of the new snapshot; undefined when the newest one holds the same. */
export async function keepSnapshot(
  { settings }: Pick<App, "settings">,
  place: string,
  { text, now }: { text: string; now: string },
): Promise<string | undefined> {
  const folder = join(rootOf(settings), ...place.split("/"));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const before = await listPlace(settings, place);
  const newest = before[0];
  if (newest && (await readSnapshot({ settings }, newest.file)) === text) return undefined;
  const name = `${place.split("/").at(-1)}-${stampOf(now)}`;
  // Two in one second are two snapshots, and the number of one that was pruned is not given again.
  const numbers = before.filter(({ file }) => file.startsWith(`${place}/${name}`)).map(numberOf);
  for (let number = Math.max(0, ...numbers) + 1; ; number += 1) {
    const file = `${place}/${name}${number === 1 ? "" : `-${number}`}.json`;
    if (!(await createFileAtomic(join(rootOf(settings), file), text, 0o600))) continue;
    for (const { file: old } of before.slice(kept - 1)) await rm(join(rootOf(settings), old), { force: true });
    return file;
  }
}

/** All of them, newest first. */
export async function listSnapshots({ settings }: Pick<App, "settings">): Promise<Snapshot[]> {
  const found: Snapshot[] = [];
  for (const kind of ["schemas", "collections"]) {
    for (const id of await foldersIn(settings, kind)) found.push(...(await listPlace(settings, `${kind}/${id}`)));
  }
  for (const collection of await foldersIn(settings, "objects")) {
    for (const id of await foldersIn(settings, `objects/${collection}`)) {
      found.push(...(await listPlace(settings, `objects/${collection}/${id}`)));
    }
  }
  return found.sort(newestFirst);
}

/** A snapshot by the path that the list names. Anything else is no snapshot, whatever lies there. */
export function findSnapshot({ settings }: Pick<App, "settings">, named: string): Snapshot | undefined {
  const prefixes = [`${rootOf(settings)}/`, ".system/backups/"];
  const prefix = prefixes.find((candidate) => named.startsWith(candidate)) ?? "";
  return parse(named.slice(prefix.length));
}

export async function readSnapshot({ settings }: Pick<App, "settings">, file: string): Promise<string> {
  if (!parse(file)) return missing(file);
  try {
    const handle = await open(join(rootOf(settings), file), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return missing(file);
    throw error;
  }
}

function missing(file: string): never {
  return fail("not-found", `There is no snapshot ${file}.`);
}

/** Newest first. */
async function listPlace(settings: App["settings"], place: string): Promise<Snapshot[]> {
  const files = (await entriesOf(settings, place)).filter((entry) => entry.isFile());
  return files.flatMap(({ name }) => parse(`${place}/${name}`) ?? []).sort(newestFirst);
}

async function foldersIn(settings: App["settings"], place: string): Promise<string[]> {
  const entries = await entriesOf(settings, place);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function entriesOf(settings: App["settings"], place: string): Promise<Dirent[]> {
  try {
    return await readdir(join(rootOf(settings), place), { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function rootOf({ dataDir }: Pick<App["settings"], "dataDir">): string {
  return join(dataDir, ".system", "backups");
}

function parse(file: string): Snapshot | undefined {
  const [, kind, collection, id = "", stamp] = fileForm.exec(file) ?? [];
  if (stamp === undefined) return undefined;
  const created = stamp.replace(/^(....)(..)(..)-(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6.000Z");
  if (collection !== undefined) return { kind: "object", collection, id, file, created };
  return { kind: kind === "schemas" ? "schema" : "collection", id, file, created };
}

function newestFirst(a: Snapshot, b: Snapshot): number {
  if (a.created !== b.created) return a.created < b.created ? 1 : -1;
  return numberOf(b) - numberOf(a);
}

/** Of those within one second. */
function numberOf({ file }: Snapshot): number {
  return Number(fileForm.exec(file)?.[5] ?? 1);
}

function stampOf(iso: string): string {
  return iso.replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
}
