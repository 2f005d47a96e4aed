// Snapshots: the content of a schema, of a collection's settings or of an object before it was overwritten.
// `{data_dir}/.system/backups/{schemas|collections|objects/{collection}}/{id}/{id}-YYYYMMDD-HHMMSS[-N].json`, for their
// owner only. The newest ten of each are kept; none replaces another; unchanged content adds none.

import { constants, type Dirent } from "node:fs";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "#base/errors.ts";
import { createFilesAtomic, makeFolder, syncFolder } from "#base/files.ts";
import { inParallel } from "#base/in-parallel.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import type { App } from "#context.ts";
import type { Snapshot, SnapshotTarget } from "#contract/admin.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { findRawSchema } from "#schemas/find-schema.ts";
import { findCollectionRow } from "#storage/tables/collections.ts";
import { findObject } from "#storage/tables/objects.ts";

/** Which of them; a part that is left out chooses nothing. */
export type SnapshotChoice = { [Part in keyof SnapshotTarget]?: SnapshotTarget[Part] | undefined };

const kept = 10;
const lookedAtOnce = 8;
const idForm = "[a-z0-9_]+(?:-+[a-z0-9_]+)*";
const wholeId = new RegExp(`^${idForm}$`);
const fileForm = new RegExp(
  `^(?:(schemas|collections)|objects/(${idForm}))/(${idForm})/\\3-(\\d{8}-\\d{6})(?:-(\\d+))?\\.json$`,
);

/** Makes a snapshot of the stored content. Undefined when there is none, or the newest snapshot is the same. */
export async function snapshot(app: App, target: SnapshotTarget): Promise<string | undefined> {
  const content = await findPresent(app, target);
  if (!content) return undefined;
  const place = placeOf(target);
  return (await keepSnapshots(app, [{ place, text: snapshotText(content), now: app.clock.iso() }])).get(place);
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

export interface NewSnapshot {
  /** The folder of the item's snapshots. */
  place: string;
  text: string;
  /** When the text was replaced. */
  now: string;
}

/** Of different items. Durable when it resolves; the paths of those that are new, by place. */
export async function keepSnapshots(
  { settings }: Pick<App, "settings">,
  snapshots: readonly NewSnapshot[],
): Promise<Map<string, string>> {
  const root = rootOf(settings);
  const folders = new Set<string>();
  const outdated: string[] = [];
  const made = new Map<string, string>();
  let waiting: Naming[] = [];
  await inParallel(snapshots, lookedAtOnce, async ({ place, text, now }) => {
    for (const parent of await makeFolder(join(root, ...place.split("/")), 0o700)) folders.add(parent);
    const before = await listPlace(settings, place);
    if (before[0] && (await readSnapshot({ settings }, before[0].file)) === text) return;
    const name = `${place}/${place.split("/").at(-1)}-${stampOf(now)}`;
    // Two in one second are two snapshots, and the number of a pruned one is not used again.
    const numbers = before.filter(({ file }) => file.startsWith(name)).map(numberOf);
    waiting.push({ place, text, name, number: Math.max(0, ...numbers) + 1 });
    outdated.push(...before.slice(kept - 1).map(({ file }) => file));
  });
  while (waiting.length > 0) {
    for (const naming of waiting) made.set(naming.place, fileOf(naming));
    const texts = new Map(waiting.map((naming) => [join(root, fileOf(naming)), naming.text]));
    const taken = await createFilesAtomic(texts, 0o600);
    // Another process was quicker.
    waiting = waiting.filter((naming) => taken.has(join(root, fileOf(naming))));
    for (const naming of waiting) naming.number += 1;
  }
  await inParallel(folders, lookedAtOnce, syncFolder);
  await inParallel(outdated, lookedAtOnce, (file) => rm(join(root, file), { force: true }));
  return made;
}

interface Naming {
  place: string;
  text: string;
  /** Without number and ending. */
  name: string;
  number: number;
}

function fileOf({ name, number }: Naming): string {
  return `${name}${number === 1 ? "" : `-${number}`}.json`;
}

/** All of them, newest first; or those of a kind, of the objects of a collection, or of one item. */
export async function listSnapshots(
  { settings }: Pick<App, "settings">,
  { kind, collection, id }: SnapshotChoice = {},
): Promise<Snapshot[]> {
  const names = [collection, id].filter((name) => name !== undefined);
  if (!names.every((name) => wholeId.test(name))) return [];
  const found: Snapshot[] = [];
  const addAll = async (place: string) => {
    for (const folder of id === undefined ? await foldersIn(settings, place) : [id])
      found.push(...(await listPlace(settings, `${place}/${folder}`)));
  };
  for (const other of ["schema", "collection"])
    if (collection === undefined && (kind ?? other) === other) await addAll(`${other}s`);
  if ((kind ?? "object") === "object") {
    for (const folder of collection === undefined ? await foldersIn(settings, "objects") : [collection])
      await addAll(`objects/${folder}`);
  }
  return found.sort(newestFirst);
}

/** A snapshot by its path in the list. Any other file is not a snapshot. */
export function findSnapshot({ settings }: Pick<App, "settings">, named: string): Snapshot | undefined {
  const prefixes = [`${rootOf(settings)}/`, ".system/backups/"];
  const prefix = prefixes.find((candidate) => named.startsWith(candidate)) ?? "";
  return parse(named.slice(prefix.length));
}

export async function readSnapshot({ settings }: Pick<App, "settings">, file: string): Promise<string> {
  if (!parse(file)) return noSnapshot(file);
  try {
    const handle = await open(join(rootOf(settings), file), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return noSnapshot(file);
    throw error;
  }
}

function noSnapshot(file: string): never {
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
