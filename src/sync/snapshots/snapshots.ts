// Snapshots: the content of a schema, of a collection's settings or of an object before it was overwritten.
// In the file store, where all nodes find them: `backups/{schemas|collections|objects/{collection}}/{id}/{file}`, where a file
// is `{id}-YYYYMMDD-HHMMSS[-N].json`. The newest ten of each are kept; none replaces another; unchanged content adds none.

import { join } from "node:path";
import { CairnError, fail } from "#base/errors.ts";
import { inParallel } from "#base/in-parallel.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import type { App } from "#context.ts";
import type { Snapshot, SnapshotTarget } from "#contract/admin.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { SystemStore } from "#files/port.ts";
import { findRawSchema } from "#schemas/find-schema.ts";
import { findCollectionRow } from "#storage/tables/collections.ts";
import { findObject } from "#storage/tables/objects.ts";

/** Which of them; a part that is left out chooses nothing. */
export type SnapshotChoice = { [Part in keyof SnapshotTarget]?: SnapshotTarget[Part] | undefined };

/** The folder of all in the store. */
export const snapshotsFolder = "backups";
const kept = 10;
const lookedAtOnce = 16;
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
  { files: { system } }: Pick<App, "files">,
  snapshots: readonly NewSnapshot[],
): Promise<Map<string, string>> {
  const outdated: string[] = [];
  const made = new Map<string, string>();
  let waiting: Naming[] = [];
  await inParallel(snapshots, lookedAtOnce, async ({ place, text, now }) => {
    const before = (await listPlace(system, place)).sort(newestFirst);
    if (before[0] && (await readText(system, before[0].file)) === text) return;
    const name = `${place}/${place.split("/").at(-1)}-${stampOf(now)}`;
    // Two in one second are two snapshots, and the number of a pruned one is not used again.
    const numbers = before.filter(({ file }) => file.startsWith(name)).map(numberOf);
    waiting.push({ place, text, name, number: Math.max(0, ...numbers) + 1 });
    outdated.push(...before.slice(kept - 1).map(({ file }) => file));
  });
  while (waiting.length > 0) {
    for (const naming of waiting) made.set(naming.place, fileOf(naming));
    const taken = await system.create(new Map(waiting.map((naming) => [atOf(fileOf(naming)), naming.text])));
    // Another process was quicker.
    waiting = waiting.filter((naming) => taken.has(atOf(fileOf(naming))));
    for (const naming of waiting) naming.number += 1;
  }
  await inParallel(outdated, lookedAtOnce, (file) => system.delete(atOf(file)));
  return made;
}

interface Naming {
  place: string;
  text: string;
  /** Without number and ending. */
  name: string;
  number: number;
}

function fileOf({ name, number }: Pick<Naming, "name" | "number">): string {
  return `${name}${number === 1 ? "" : `-${number}`}.json`;
}

/** The name after this one, for another snapshot of the same second. */
export function nextFile(snapshot: Snapshot): string {
  const number = numberOf(snapshot);
  const ending = fileOf({ name: "", number });
  return fileOf({ name: snapshot.file.slice(0, -ending.length), number: number + 1 });
}

/** All of them, newest first; or those of a kind, of the objects of a collection, or of one item. */
export async function listSnapshots(
  { files: { system } }: Pick<App, "files">,
  choice: SnapshotChoice = {},
): Promise<Snapshot[]> {
  const { collection, id } = choice;
  const names = [collection, id].filter((name) => name !== undefined);
  if (!names.every((name) => wholeId.test(name))) return [];
  const found: Snapshot[] = [];
  for (const place of placesOf(choice)) found.push(...(await listPlace(system, place)));
  return found.filter((one) => id === undefined || one.id === id).sort(newestFirst);
}

/** The folders that hold all that is chosen, and little else. */
function placesOf({ kind, collection, id }: SnapshotChoice): string[] {
  if (kind === undefined && collection === undefined && id === undefined) return [""];
  const places: string[] = [];
  for (const other of ["schema", "collection"])
    if (collection === undefined && (kind ?? other) === other) places.push(placeIn(`${other}s`, id));
  if ((kind ?? "object") === "object")
    places.push(collection === undefined ? "objects" : placeIn(`objects/${collection}`, id));
  return places;
}

function placeIn(folder: string, id: string | undefined): string {
  return id === undefined ? folder : `${folder}/${id}`;
}

/** A snapshot by its path in the list. Any other file is not a snapshot. */
export function findSnapshot({ settings }: Pick<App, "settings">, named: string): Snapshot | undefined {
  const folder = `.system/${snapshotsFolder}/`;
  const prefixes = [join(settings.dataDir, folder), folder];
  const prefix = prefixes.find((candidate) => named.startsWith(candidate)) ?? "";
  return parse(named.slice(prefix.length));
}

/** A snapshot by its place in the store. */
export function snapshotAt(at: string): Snapshot | undefined {
  return at.startsWith(`${snapshotsFolder}/`) ? parse(at.slice(snapshotsFolder.length + 1)) : undefined;
}

export async function readSnapshot({ files }: Pick<App, "files">, file: string): Promise<string> {
  if (!parse(file)) return noSnapshot(file);
  try {
    return await readText(files.system, file);
  } catch (error) {
    if (error instanceof CairnError && error.word === "not-found") return noSnapshot(file);
    throw error;
  }
}

export async function readText(system: SystemStore, file: string): Promise<string> {
  const opened = await system.open(atOf(file));
  return (await opened.read()).toString("utf8");
}

function noSnapshot(file: string): never {
  return fail("not-found", `There is no snapshot ${file}.`);
}

/** Below a folder, in order of place. */
async function listPlace(system: SystemStore, place: string): Promise<Snapshot[]> {
  const found: Snapshot[] = [];
  for await (const at of system.listKeys(place === "" ? snapshotsFolder : atOf(place))) {
    const one = snapshotAt(at);
    if (one) found.push(one);
  }
  return found;
}

/** In the store. */
export function atOf(file: string): string {
  return `${snapshotsFolder}/${file}`;
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
