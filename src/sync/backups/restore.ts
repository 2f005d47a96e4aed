// Restores a whole backup: it is read and checked to its end first, then written into an empty site, or over an existing
// one when that was asked for. An interrupted restore leaves a mark, and nothing starts on an incomplete site.

import { existsSync } from "node:fs";
import { readFile, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { allow } from "#access/allow.ts";
import { editorMigration, keepFormerEditor } from "#access/groups.ts";
import { fail } from "#base/errors.ts";
import { makeFolder, syncFolder, writeFileAtomic } from "#base/files.ts";
import { inParallel } from "#base/in-parallel.ts";
import { parseLargeJson } from "#base/json.ts";
import { givenSiteKey } from "#base/secrets.ts";
import { noteDatabase } from "#config/site.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import { referenceRows } from "#content/relations/store-references.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { admitNode } from "#definitions/admit-node.ts";
import { takeSigningKeyFile } from "#definitions/signing-key.ts";
import { quietMs } from "#jobs/nodes.ts";
import { findFlatSchema } from "#schemas/find-schema.ts";
import { indexEntry } from "#schemas/index-entry.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { knownMigrations } from "#storage/migrate.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { listNodes } from "#storage/tables/nodes/nodes.ts";
import { insertReferences, type ReferenceRow } from "#storage/tables/relations/object-references.ts";
import {
  type EntryRow,
  emptyTables,
  finishTables,
  holdsData,
  insertEntries,
  insertRows,
  listTables,
  type StoredRow,
  type Table,
} from "#storage/whole-tables.ts";
import { snapshotAt, snapshotsFolder } from "#sync/snapshots/snapshots.ts";
import { type ArchiveReader, openArchive, readLines } from "./archive.ts";
import { folders, type Manifest, readAll, readAtticList, readFileList, readManifest, tableEntry } from "./format.ts";
import { createRenumbering, type Renumbering } from "./renumber.ts";
import { restoreMark } from "./restore-mark.ts";
import { findProblems } from "./verify.ts";

const batchSize = 500;
const batchBytes = 16 * 1024 * 1024;
const syncedAtOnce = 8;
/** They say where this installation keeps its data; they are not part of the site. */
const ofThePlace = ["databaseUrl", "databaseReadUrl", "databaseDirectUrl", "filesUrl"];

export interface RestoreOptions {
  /** Overwrite an existing site. */
  force?: boolean;
  onProgress?: (rows: number, total: number) => void;
}

export interface RestoreSummary {
  created: string;
  objects: number;
  files: number;
}

/** A backup that was read and checked to its end. */
export interface CheckedBackup {
  file: string;
  archive: ArchiveReader;
  manifest: Manifest;
}

const fromNewerVersion = "The backup was made by a newer version of Cairn.";

/** Before anything is opened or created. The caller closes the archive. */
export async function openBackup(file: string): Promise<CheckedBackup> {
  const archive = await openArchive(file);
  try {
    const manifest = await readManifest(archive);
    const known = knownMigrations();
    // A backup of a newer version may hold data that this one would lose.
    if (manifest.migrations.some((name) => !known.has(name))) fail("invalid", fromNewerVersion);
    const problems = await findProblems(archive, manifest, () => {});
    if (problems.length > 0) fail("invalid", `The backup is damaged: ${problems[0]}`);
    return { file, archive, manifest };
  } catch (error) {
    archive.close();
    throw error;
  }
}

export async function restoreBackup(
  ctx: Context,
  { file, archive, manifest }: CheckedBackup,
  options: RestoreOptions = {},
): Promise<RestoreSummary> {
  allow(ctx, "update", { kind: "backups" });
  const here = new Set((await listTables(ctx.storage)).map(({ name }) => name));
  if (manifest.tables.some(({ name }) => !here.has(name))) fail("invalid", fromNewerVersion);
  await refuseWhileServed(ctx);
  const isOccupied = existsSync(restoreMark(ctx.settings.dataDir)) || (await holdsData(ctx.storage));
  if (isOccupied && !options.force) {
    fail("exists", "There is a site here already. To put the backup in its place, add --force.");
  }
  await refuseOtherKey(ctx, archive);
  await writeFile(restoreMark(ctx.settings.dataDir), file);
  await noteDatabase(ctx.settings);
  await clear(ctx);
  await putBack(ctx, { archive, manifest, ...options });
  await rm(restoreMark(ctx.settings.dataDir));
  await syncFolder(dirname(restoreMark(ctx.settings.dataDir)));
  const objects = manifest.tables.find(({ name }) => name === "objects")?.rows ?? 0;
  return { created: manifest.created, objects, files: manifest.files };
}

/** Where several servers share the database; elsewhere the lock of the data directory keeps them apart. */
async function refuseWhileServed({ storage, clock }: Context): Promise<void> {
  if (!storage.shared) return;
  const since = new Date(clock.now() - quietMs).toISOString();
  const there = (await listNodes(storage)).filter(({ seen }) => seen >= since);
  if (there.length === 0) return;
  const named = there.map(({ host, pid }) => `${host} (process ${pid})`).join(", ");
  fail(
    "unavailable",
    `Servers use this database: ${named}. Stop them first. One that was killed counts for a minute after it was last seen.`,
  );
}

async function clear(ctx: Context): Promise<void> {
  for (const { id } of await listCollectionRows(ctx.storage)) await ctx.files.deleteAll(id);
  await ctx.files.attic.deleteAll();
  for (const id of ctx.schemaFiles.ids()) await ctx.schemaFiles.delete(id);
  await ctx.definitions?.forget();
  await ctx.files.system.deleteAll(snapshotsFolder);
  // Snapshots may wait here for their move into the bucket.
  const hasBucket = ctx.settings.get("filesUrl") !== "";
  for (const folder of ["builder", ".system/extension-data", ...(hasBucket ? [`.system/${snapshotsFolder}`] : [])]) {
    await rm(join(ctx.settings.dataDir, folder), { recursive: true, force: true });
  }
  await emptyTables(ctx.storage);
}

interface Restore extends RestoreOptions {
  archive: ArchiveReader;
  manifest: Manifest;
}

async function putBack(ctx: Context, restore: Restore): Promise<void> {
  const { archive } = restore;
  const made = new Set<string>();
  const snapshots = new Map<string, number>();
  for (const [name, { size, modified = restore.manifest.created }] of Object.entries(restore.manifest.entries)) {
    if (isSnapshot(name)) snapshots.set(name, size);
    else if (name.startsWith(folders.schemas)) await putSchema(ctx, archive, name);
    else if (name.startsWith(folders.templates)) await putPlain(ctx, archive, { name, to: "builder", modified, made });
    else if (name === `${folders.system}settings.json`) await putSettings(ctx, archive, name);
    else if (name.startsWith(folders.system)) await putPlain(ctx, archive, { name, to: ".system", modified, made });
  }
  await inParallel(made, syncedAtOnce, syncFolder);
  await putSnapshots(ctx, archive, snapshots);
  const numbers = createRenumbering();
  await putTables(ctx, restore, numbers);
  if (!restore.manifest.migrations.includes(editorMigration))
    await ctx.storage.write((tx) => keepFormerEditor(tx, ctx.clock.iso()));
  for (const [entry, { key, size }] of await readFileList(archive)) {
    const staged = await ctx.staging.receive(archive.read(entry), size);
    await ctx.files.publish(staged, key);
  }
  for (const [entry, { key, size }] of await readAtticList(archive)) {
    const staged = await ctx.staging.receive(archive.read(entry), size);
    await ctx.files.attic.put(staged, key);
  }
  await putShared(ctx);
  const collections = await listCollectionRows(ctx.storage);
  await finishTables(
    ctx.storage,
    collections.map(({ id }) => id),
    numbers.lastObject(),
  );
}

/** Where several nodes share the database, it has what the files of the backup say. */
async function putShared(ctx: Context): Promise<void> {
  const { definitions, settings, storage, clock } = ctx;
  if (!definitions) return;
  await admitNode(storage, settings.dataDir, clock.iso());
  await definitions.takeAll();
  await takeSigningKeyFile(definitions, settings.dataDir);
}

/** The secrets of a backup can be read with its own key alone. */
async function refuseOtherKey(ctx: Context, archive: ArchiveReader): Promise<void> {
  const entry = `${folders.system}site.key`;
  const key = givenSiteKey(ctx.settings.dataDir);
  if (!key || !archive.names().includes(entry)) return;
  if (!key.equals(Buffer.from(await readAll(archive.read(entry)))))
    fail(
      "invalid",
      "The backup has another site key than CAIRN_SITE_KEY. Restore it with its own, or without that setting.",
    );
}

async function putSchema(ctx: Context, archive: ArchiveReader, name: string): Promise<void> {
  const id = name.slice(folders.schemas.length, -".json".length);
  const record = parseLargeJson(await readAll(archive.read(name)));
  if (isJsonObject(record)) await ctx.schemaFiles.put(id, record);
}

interface PlainFile {
  name: string;
  /** Folder of the data directory. */
  to: "builder" | ".system";
  modified: string;
  /** Folders with new files. */
  made: Set<string>;
}

/** Everything in the system folder is its owner's alone. */
async function putPlain(ctx: Context, archive: ArchiveReader, { name, to, modified, made }: PlainFile): Promise<void> {
  const path = join(ctx.settings.dataDir, to, ...name.split("/").slice(1));
  const isPrivate = to === ".system";
  for (const parent of await makeFolder(dirname(path), isPrivate ? 0o700 : 0o755)) made.add(parent);
  made.add(dirname(path));
  await writeFile(path, archive.read(name), { mode: isPrivate ? 0o600 : 0o644, flush: true });
  await utimes(path, new Date(modified), new Date(modified));
}

function isSnapshot(name: string): boolean {
  return name.startsWith(folders.system) && snapshotAt(name.slice(folders.system.length)) !== undefined;
}

/** Into the file store, many at once: each alone would wait for the disk, or for the bucket. */
async function putSnapshots(ctx: Context, archive: ArchiveReader, sizes: ReadonlyMap<string, number>): Promise<void> {
  let texts = new Map<string, string>();
  let bytes = 0;
  const put = async () => {
    await ctx.files.system.create(texts);
    texts = new Map();
    bytes = 0;
  };
  for (const [name, size] of sizes) {
    texts.set(name.slice(folders.system.length), Buffer.from(await readAll(archive.read(name))).toString("utf8"));
    bytes += size;
    if (texts.size === batchSize || bytes > batchBytes) await put();
  }
  await put();
}

async function putSettings(ctx: Context, archive: ArchiveReader, name: string): Promise<void> {
  const path = join(ctx.settings.dataDir, ".system", "settings.json");
  const restored = parseLargeJson(await readAll(archive.read(name)));
  const own = existsSync(path) ? parseLargeJson(await readFile(path)) : {};
  const settings: JsonObject = isJsonObject(restored) ? restored : {};
  for (const key of ofThePlace) {
    delete settings[key];
    if (isJsonObject(own) && own[key] !== undefined) settings[key] = own[key];
  }
  await writeFileAtomic(path, `${JSON.stringify(settings, null, 2)}\n`, 0o600);
}

/** In the order of this database: a row comes after the rows that it refers to. */
async function putTables(
  ctx: Context,
  { archive, manifest, onProgress }: Restore,
  numbers: Renumbering,
): Promise<void> {
  const counts = new Map(manifest.tables.map(({ name, rows }) => [name, rows]));
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  const tables = (await listTables(ctx.storage)).filter(({ name }) => counts.has(name));
  // The objects' index entries depend on the collections' settings.
  const schemas = new Map<string, FlatSchema | undefined>();
  for await (const row of readLines<StoredRow>(archive.read(tableEntry("collections")))) {
    const { schema } = JSON.parse(String(row.settings)) as JsonObject;
    schemas.set(String(row.id), findFlatSchema(ctx, String(schema)));
  }
  for (const table of tables) {
    for await (const rows of inBatches(readLines<StoredRow>(archive.read(tableEntry(table.name))))) {
      const columns = table.columns.filter((column) => Object.hasOwn(rows[0] as StoredRow, column));
      for (const row of rows) numbers.row(table.name, row);
      await putRows(ctx, { name: table.name, columns }, rows, schemas);
      done += rows.length;
      onProgress?.(done, total);
    }
  }
}

async function putRows(
  ctx: Context,
  table: Table,
  rows: StoredRow[],
  schemas: ReadonlyMap<string, FlatSchema | undefined>,
): Promise<void> {
  const entries = table.name === "objects" ? rows.map((row) => entryOf(ctx, row, schemas)) : [];
  const references = entries.flatMap(({ references: own }) => own);
  await ctx.storage.write(async (tx) => {
    await insertRows(tx, table, rows);
    await insertEntries(tx, entries);
    await insertReferences(tx, references);
  });
}

type RestoredEntry = EntryRow & { references: ReferenceRow[] };

function entryOf(ctx: Context, row: StoredRow, schemas: ReadonlyMap<string, FlatSchema | undefined>): RestoredEntry {
  const [collection, id] = [String(row.collection), String(row.id)];
  const times = { created: String(row.created), modified: String(row.modified) };
  return { rid: Number(row.rid), collection, id, ...times, ...indexed(ctx, row, schemas.get(collection)) };
}

/** A damaged document loses its own entry only. */
function indexed(
  ctx: Context,
  row: StoredRow,
  schema: FlatSchema | undefined,
): Pick<RestoredEntry, "entry" | "references"> {
  try {
    if (!schema) throw new Error("no schema");
    const stored = { rid: Number(row.rid), rev: Number(row.rev), doc: String(row.doc) };
    const document = storedDocument(ctx, schema, { ...stored, schemaRev: String(row.schema_rev) });
    const references = referenceRows(String(row.collection), schema, document);
    return { entry: indexEntry(schema, document), references };
  } catch (error) {
    ctx.log.error({ err: error, collection: row.collection, id: row.id }, "object restored without an index entry");
    return { entry: { idx: "{}", fold: "{}", title: "", body: "" }, references: [] };
  }
}

async function* inBatches<T>(source: AsyncIterable<T>): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const value of source) {
    batch.push(value);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
