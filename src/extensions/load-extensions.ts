// All extensions with their states, as every feature asks for them: what lies on disk, joined with what operators decided.
// Kept until the scope "extensions" moves, so that a request pays nothing for it. Nothing of an extension runs here.

import { readFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { allow } from "#access/allow.ts";
import { editionIncludes } from "#access/edition.ts";
import { confirmPower } from "#access/recent-proof.ts";
import { createVersionedValue } from "#base/caches/versioned-cache.ts";
import { fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import { version as cairnVersion } from "#base/version.ts";
import type { App, Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { Contributions, ExtensionState, ListedKind, Manifest } from "#contract/extensions.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Reader, Storage, Tx } from "#storage/port.ts";
import { type ExtensionRow, listExtensionRows } from "#storage/tables/extensions/extensions.ts";
import { deprecationsOf } from "./deprecations.ts";
import { discover, type FoundExtension, hashOfCode } from "./discover.ts";
import type { Generation } from "./host/host.ts";
import { keepBrought, readKinds } from "./kept/kept-kinds.ts";
import { readSchemas } from "./kept/kept-schemas.ts";
import { fitsRange } from "./manifest/version-range.ts";
import { type Approval, beyond } from "./review.ts";
import { readFailure } from "./rows.ts";
import { findTaken, type TakenNames } from "./taken-names.ts";

export interface Extension extends FoundExtension {
  state: ExtensionState;
  error: string | null;
  /** What the operator wants, whatever the state. */
  enabled: boolean;
  switchedOff: ReadonlySet<string>;
  approval: Approval | undefined;
  /** As they are stored, with encrypted secrets. */
  storedSettings: JsonObject;
  /** Page steps run before every page (the setting `allPages`). */
  allPages: boolean;
  /** Undefined: nothing was decided about it yet. */
  row: ExtensionRow | undefined;
}

/** One whose contributions are there. */
export interface LiveExtension extends Extension {
  manifest: Manifest;
}

export interface Contributed<K extends ListedKind> {
  extension: LiveExtension;
  entry: Contributions[K][number];
}

export interface ExtensionSet {
  /** By id; also rows whose folder is gone. */
  all: ReadonlyMap<string, Extension>;
  /** Enabled ones, in the order of loading. */
  live: readonly LiveExtension[];
  /** Moves when other code is to run in the thread. */
  generation: Generation;
  /** What enabled ones contribute and no switch has taken away. */
  of<K extends ListedKind>(kind: K): readonly Contributed<K>[];
}

type Parts = Pick<App, "settings" | "storage" | "log">;

const sets = createVersionedValue<Storage, ExtensionSet>((storage) => storage.version("extensions"));

/** At once when nothing has changed. */
export function loadExtensions(app: Parts): ExtensionSet | Promise<ExtensionSet> {
  return sets.get(app.storage, () => load(app));
}

/** For reactions in a transaction: what it reads may yet be rolled back, so it is not kept. */
export function loadExtensionsIn(app: Parts, tx: Tx): ExtensionSet | Promise<ExtensionSet> {
  const known = sets.find(app.storage);
  if (known !== undefined) return known;
  setImmediate(() => void Promise.resolve(loadExtensions(app)).catch(() => {}));
  return load(app, tx);
}

/** What is in memory; undefined: it must be loaded first. */
export function knownExtensions(app: Parts): ExtensionSet | undefined {
  return sets.find(app.storage);
}

/** First line of every operation on one extension. */
export async function openExtension(ctx: Context, operation: Operation, id: string): Promise<Extension> {
  allow(ctx, operation, { kind: "extensions" });
  if (operation !== "read") await confirmPower(ctx);
  forgetExtensions(ctx);
  const found = (await loadExtensions(ctx)).all.get(id);
  return found && !isLeftOver(found) ? found : fail("not-found", `There is no extension "${id}".`);
}

/** What was removed, and left its settings and its store. */
export function isLeftOver({ folder, enabled }: Extension): boolean {
  return folder === "" && !enabled;
}

/** Looks at the disk again, for changes that moved no scope. */
export function forgetExtensions(app: Parts): void {
  sets.forget(app.storage);
}

async function load({ settings, storage, log }: Parts, db: Reader = storage): Promise<ExtensionSet> {
  const version = storage.version("extensions");
  const [found, rows] = await Promise.all([discover(settings), listExtensionRows(db)]);
  const rowById = new Map(rows.map((row) => [row.id, row]));
  const joined = found.map((one) => join(one, rowById.get(one.id)));
  const all = new Map<string, Extension>((await Promise.all(joined)).map((one) => [one.id, one]));
  for (const row of rows) if (!all.has(row.id)) all.set(row.id, await join(gone(row.id), row));
  judge(all, settings.get("edition"));
  const live = inOrder([...all.values()].filter(isLive));
  for (const extension of live)
    if (extension.manifest.contributes.pageSteps.length > 0) extension.allPages = await isForAllPages(extension);
  for (const extension of live) await followFiles({ storage, log }, extension);
  for (const extension of live) await warnOnce({ storage, log }, extension);
  const taken = findTaken(live);
  for (const extension of live) {
    const lost = taken.get(extension.id);
    if (lost) extension.error = lost.map(({ why }) => why).join(" ");
  }
  return { all, live, generation: { version, code: codeOf(live) }, of: collector(live, taken) };
}

/** By extension: what the log was told since the start of the process. */
const warned = perInstance((_storage: object): Map<string, string> => new Map());

async function warnOnce({ storage, log }: Pick<App, "storage" | "log">, extension: LiveExtension): Promise<void> {
  const deprecations = await deprecationsOf(extension);
  const text = deprecations.join(" ");
  if (text === "" || warned(storage).get(extension.id) === text) return;
  warned(storage).set(extension.id, text);
  log.warn({ extension: extension.id, deprecations }, "an extension uses parts of Cairn that will go");
}

/** Files that bring other field kinds or schemas than those that are kept. */
async function followFiles(app: Pick<App, "storage" | "log">, extension: LiveExtension): Promise<void> {
  const { fields, schemas: files } = extension.manifest.contributes;
  if (fields.length + files.length === 0) return;
  const before = { kinds: extension.row?.kinds ?? "{}", schemas: extension.row?.schemas ?? "{}" };
  const after = { ...before };
  const read = await readKinds(extension);
  if (fields.length > 0 && read.problems.length === 0) after.kinds = read.text;
  if (files.length > 0 && !extension.switchedOff.has("schemas:all")) {
    const { schemas, problems } = await readSchemas(extension, { storage: app.storage, kinds: read.text });
    if (problems.length === 0)
      after.schemas = JSON.stringify({ ...(JSON.parse(before.schemas) as object), ...schemas });
  }
  if (after.kinds !== before.kinds || after.schemas !== before.schemas) keepBrought(app, extension.id, after);
}

function gone(id: string): FoundExtension {
  const problems = ["Its folder is gone."];
  return { id, source: "project", folder: "", problems, files: new Set(), bytes: 0, mark: "", hidden: [] };
}

/** The stored failure, unless the code has changed since. */
async function failureOf(found: FoundExtension, row: ExtensionRow | undefined): Promise<string | null> {
  const failure = row && readFailure(row);
  if (!failure) return null;
  if (failure.code === undefined || found.files.size === 0) return failure.text;
  return failure.code === (await hashOfCode(found)) ? failure.text : null;
}

async function join(found: FoundExtension, row: ExtensionRow | undefined): Promise<Extension> {
  const { manifest } = found;
  const isBundled = found.source === "bundled";
  return {
    ...found,
    row,
    enabled: row ? row.enabled === 1 : isBundled && manifest?.defaultEnabled === true,
    switchedOff: new Set(row ? (JSON.parse(row.switchedOff) as string[]) : []),
    approval: row?.approved ? (JSON.parse(row.approved) as Approval) : undefined,
    storedSettings: row ? (JSON.parse(row.settings) as JsonObject) : {},
    allPages: false,
    state: "disabled",
    error: await failureOf(found, row),
  };
}

/** Gives each its state. Those that need others are judged after them. */
function judge(all: ReadonlyMap<string, Extension>, edition: string): void {
  const open = new Set<string>();
  const done = new Set<string>();
  const visit = (extension: Extension): void => {
    if (done.has(extension.id)) return;
    if (open.has(extension.id)) {
      for (const id of open)
        refuse(all.get(id) as Extension, "invalid", "Extensions that require each other: a circle.");
      return;
    }
    open.add(extension.id);
    for (const needed of Object.keys(extension.manifest?.requires.extensions ?? {})) {
      const other = all.get(needed);
      if (other) visit(other);
    }
    open.delete(extension.id);
    if (!done.has(extension.id)) decide(extension, all, edition);
    done.add(extension.id);
  };
  const refuse = (extension: Extension, state: ExtensionState, error: string) => {
    extension.state = state;
    extension.error = error;
    done.add(extension.id);
  };
  for (const extension of all.values()) visit(extension);
}

function decide(extension: Extension, all: ReadonlyMap<string, Extension>, edition: string): void {
  const [state, error = extension.error] = stateOf(extension, all, edition);
  extension.state = state;
  extension.error = error;
}

/** The state, and the error where it is not the stored one. */
function stateOf(
  { manifest, problems, row, source, enabled, approval, error }: Extension,
  all: ReadonlyMap<string, Extension>,
  edition: string,
): [ExtensionState, string?] {
  if (!manifest) return ["invalid", problems.join(" ")];
  const missing = missingOf(manifest, all, edition);
  if (missing !== undefined) return ["incompatible", missing];
  if (!enabled) return ["disabled"];
  if (row?.quarantined === 1) return ["quarantined"];
  if (source !== "bundled" && beyond(manifest, source, approval).length > 0)
    return ["needs-review", "It asks for more than was approved."];
  return [error === null ? "enabled" : "failed"];
}

function missingOf(manifest: Manifest, all: ReadonlyMap<string, Extension>, edition: string): string | undefined {
  const { requires, minEdition } = manifest;
  if (requires.cairn !== undefined && !fitsRange(cairnVersion, requires.cairn))
    return `It requires Cairn ${requires.cairn}; this is ${cairnVersion}.`;
  if (requires.node !== undefined && !fitsRange(process.version, requires.node))
    return `It requires Node ${requires.node}; this is ${process.version}.`;
  if (minEdition !== undefined && !editionIncludes(edition, minEdition))
    return `It requires the edition ${minEdition}.`;
  for (const [id, range] of Object.entries(requires.extensions)) {
    const other = all.get(id);
    if (other?.manifest === undefined) return `It requires the extension ${id}, which is not there.`;
    if (!fitsRange(other.manifest.version, range))
      return `It requires ${id} ${range}; there is ${other.manifest.version}.`;
    if (other.state !== "enabled") return `It requires the extension ${id}, which is ${other.state}.`;
  }
  return undefined;
}

function isLive(extension: Extension): extension is LiveExtension {
  return extension.state === "enabled" && extension.manifest !== undefined;
}

async function isForAllPages({ folder, manifest, storedSettings }: LiveExtension): Promise<boolean> {
  if (typeof storedSettings.allPages === "boolean" || manifest.settingsSchema === undefined)
    return storedSettings.allPages === true;
  const text = await readFile(joinPath(folder, manifest.settingsSchema), "utf8").catch(() => "{}");
  try {
    const schema = JSON.parse(text) as { properties?: { allPages?: { default?: unknown } } };
    return schema.properties?.allPages?.default === true;
  } catch {
    return false;
  }
}

function codeOf(live: readonly LiveExtension[]): string {
  const hosted = live.filter(({ manifest }) => manifest.runtime === "node");
  return hosted.map(({ id, mark, switchedOff }) => `${id}@${mark}-${[...switchedOff].sort().join(",")}`).join(" ");
}

/** Those that are required come first, then by id. */
function inOrder(live: readonly LiveExtension[]): LiveExtension[] {
  const byId = new Map(live.map((extension) => [extension.id, extension]));
  const ordered = new Set<LiveExtension>();
  const add = (extension: LiveExtension): void => {
    if (ordered.has(extension)) return;
    for (const id of Object.keys(extension.manifest.requires.extensions)) {
      const other = byId.get(id);
      if (other) add(other);
    }
    ordered.add(extension);
  };
  for (const extension of live) add(extension);
  return [...ordered];
}

function collector(live: readonly LiveExtension[], taken: TakenNames): ExtensionSet["of"] {
  const kept = new Map<ListedKind, readonly Contributed<ListedKind>[]>();
  return <K extends ListedKind>(kind: K) => {
    const known = kept.get(kind);
    if (known) return known as readonly Contributed<K>[];
    const found = live.flatMap((extension) =>
      extension.manifest.contributes[kind]
        .filter((entry) => !extension.switchedOff.has(`${kind}:${"kind" in entry ? entry.kind : entry.name}`))
        .filter((entry) => !taken.get(extension.id)?.some((lost) => lost.entry === entry))
        .map((entry) => ({ extension, entry })),
    ) as Contributed<K>[];
    kept.set(kind, found);
    return found;
  };
}
