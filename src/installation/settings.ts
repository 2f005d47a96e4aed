// Settings saved at run time, in {data_dir}/.system/settings.json: shown, validated, written, and reloaded by running servers.
// The file decides and may be edited by hand; a damaged one leaves the last good values active, and is never overwritten.

import { statSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { system } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { confirmPower } from "#access/recent-proof.ts";
import { fail } from "#base/errors.ts";
import { writeFileAtomic } from "#base/files.ts";
import { isEncrypted } from "#base/secrets.ts";
import {
  checkSetting,
  closeSecret,
  isSecretSetting,
  isSettingKey,
  type Settings,
  SettingsError,
  secretMask,
  settingPath,
  settingsFile,
} from "#config/config.ts";
import { isPowerSetting } from "#config/power-settings.ts";
import { type SettingKey, settingsTable } from "#config/settings-table.ts";
import { react } from "#content/collection-hooks.ts";
import { checkTag, type Precondition, tagOf } from "#content/preconditions.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { withLease } from "#jobs/leases.ts";
import { invalidate } from "#storage/invalidate.ts";
import type { Tx } from "#storage/port.ts";
import { checkRegistration } from "./registration-reads.ts";
import { settingRules } from "./setting-rules.ts";

/** Held by each save. */
export const settingsLease = "settings";
/** The name for settings outside every section. */
export const generalSection = "general";
const handEditDelayMs = 1_000;

/** A section, or one setting by its dotted key; secrets are masked. */
export async function getSettingsSection(ctx: Context, section: string): Promise<Json> {
  allow(ctx, "read", { kind: "settings" });
  return showSection(ctx, section);
}

function showSection(ctx: Context, section: string): Json {
  if (section !== generalSection) return ctx.settings.show(section) ?? noSuchSection(section);
  const general = Object.keys(settingsTable).filter((key) => !key.includes("."));
  return Object.fromEntries(general.map((key) => [key, ctx.settings.show(key) as Json]));
}

/** `isConfirmed`: users who register may read what they could not read before. */
interface Saving {
  isConfirmed?: boolean | undefined;
}

/** Changes the sent settings of a section; the others stay. Null removes the saved value. */
export async function putSettingsSection(
  ctx: Context,
  section: string,
  values: Json,
  { ifMatch, isConfirmed }: Precondition & Saving = {},
): Promise<Json> {
  allow(ctx, "update", { kind: "settings" });
  const prefix = section === generalSection ? "" : `${section}.`;
  if (!Object.keys(settingsTable).some((key) => key.startsWith(prefix))) noSuchSection(section);
  if (!isJsonObject(values)) fail("invalid", "The settings of a section must be a JSON object.");
  const before = () => {
    if (ifMatch !== undefined) checkTag(ifMatch, tagOf(JSON.stringify(showSection(ctx, section))));
  };
  await save(ctx, flatten(values, prefix), { before, isConfirmed });
  return showSection(ctx, section);
}

export async function setSetting(ctx: Context, key: string, value: Json, saving: Saving = {}): Promise<void> {
  allow(ctx, "update", { kind: "settings" });
  await save(ctx, new Map([[key, value]]), saving);
}

/**
 * Those of the nested settings that differ from what is saved, whatever this machine's environment says. Fails for what is not a
 * setting.
 */
export function changedSettings(ctx: Context, values: JsonObject): Map<string, Json> {
  allow(ctx, "update", { kind: "settings" });
  const { settings } = ctx;
  const isChanged = ([key, value]: [SettingKey, Json]) => {
    if (settings.unreadable.includes(key)) return true;
    return settings.sourceOf(key) === "saved" ? !isDeepStrictEqual(settings.get(key), value) : value !== null;
  };
  return new Map([...check(flatten(values, ""))].filter(isChanged));
}

/** Stores settings, by dotted key, right after the work: in one turn. */
export async function setSettingsAfter<T>(
  ctx: Context,
  work: () => Promise<T>,
  values: Map<string, Json>,
  saving: Saving = {},
): Promise<T> {
  allow(ctx, "update", { kind: "settings" });
  if (values.size === 0) return work();
  let done: T | undefined;
  const before = async () => {
    done = await work();
  };
  await save(ctx, values, { ...saving, before });
  return done as T;
}

/** Called with each request: applies changes by other processes at once, and edits by hand within a second. */
export function followSettings(app: Pick<App, "settings" | "storage" | "log">): void {
  const version = app.storage.version("settings");
  const now = performance.now();
  const seen = followed.get(app.settings);
  // Where notices of other processes may be late, the file is checked each time.
  const seesWritesAtOnce = !app.storage.isShared;
  if (seen && seesWritesAtOnce && seen.version === version && now - seen.lookedAt < handEditDelayMs) return;
  const mark = fileMark(app.settings);
  followed.set(app.settings, { version, lookedAt: now, mark });
  if (mark !== seen?.mark) reload(app);
}

/** The same, where nodes share a database also for changes that another node has answered. */
export async function catchUpSettings(app: Pick<App, "settings" | "storage" | "log">): Promise<void> {
  await app.storage.catchUp();
  followSettings(app);
}

interface Followed {
  version: number;
  lookedAt: number;
  /** Differs whenever the file does. */
  mark: string;
}

const followed = new WeakMap<Settings, Followed>();

function fileMark({ dataDir }: Settings): string {
  const stats = statSync(settingsFile(dataDir), { throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.mtimeMs}:${stats.size}` : "none";
}

function reload({ settings, log }: Pick<App, "settings" | "log">): void {
  try {
    settings.reload();
    warnUnreadableSecrets({ settings, log });
  } catch (error) {
    log.error({ err: error }, "the settings could not be read; the last good ones stay active");
  }
}

/** The service works without them, but the operator must know. */
export function warnUnreadableSecrets({ settings, log }: Pick<App, "settings" | "log">): void {
  if (settings.unreadable.length === 0) return;
  log.error({ settings: settings.unreadable }, "the site key cannot decrypt these secrets; they count as not set");
}

/** Dotted keys of a nested object; `save` reports unknown ones. */
function flatten(values: JsonObject, prefix: string): Map<string, Json> {
  const flat = new Map<string, Json>();
  for (const [name, value] of Object.entries(values)) {
    const key = prefix + name;
    if (isSettingKey(key) || !isJsonObject(value)) flat.set(key, value);
    else for (const [inner, innerValue] of flatten(value, `${key}.`)) flat.set(inner, innerValue);
  }
  return flat;
}

/**
 * One save at a time, over all processes, so that none overwrites a concurrent one.
 * `before` may fail(): it is called when no other save can come before this one.
 */
async function save(
  ctx: Context,
  values: Map<string, Json>,
  { before, isConfirmed }: Saving & { before?: () => void | Promise<void> },
): Promise<void> {
  const changes = check(values);
  await withLease(ctx, settingsLease, async () => {
    // An edit of the file comes first, or it would count as one that this save has overtaken.
    await ctx.definitions?.look();
    reload(ctx);
    if ([...changes].some((change) => isPowerChange(ctx, change))) await confirmPower(ctx);
    await checkRegistration(ctx, changes, isConfirmed === true);
    await before?.();
    await write(ctx, changes);
  });
}

/** A setting that is sent as it is changes nothing. */
function isPowerChange({ settings }: Context, [key, value]: [SettingKey, Json]): boolean {
  if (!isPowerSetting(key)) return false;
  if (value === null) return settings.sourceOf(key) === "saved";
  return settings.unreadable.includes(key) || !isDeepStrictEqual(settings.get(key), value);
}

/** The values to write; null removes. A secret that is sent as its mask stays unchanged. */
function check(values: Map<string, Json>): Map<SettingKey, Json> {
  const problems = new Map<string, string[]>();
  const changes = new Map<SettingKey, Json>();
  for (const [key, value] of values) {
    const problem = problemOf(key, value);
    const inside = problem || value === null ? {} : (settingRules[key as SettingKey]?.(value as never) ?? {});
    for (const [name, said] of Object.entries(inside)) problems.set(settingPath(key, name), said);
    if (problem) problems.set(key, [problem]);
    else if (!(isSecretSetting(key as SettingKey) && value === secretMask)) changes.set(key as SettingKey, value);
  }
  if (problems.size > 0) fail("invalid", "The settings are not valid.", Object.fromEntries(problems));
  return changes;
}

function problemOf(key: string, value: Json): string | undefined {
  if (!isSettingKey(key)) return "is not a setting";
  try {
    if (value !== null) checkSetting(key, value, "value");
    return undefined;
  } catch (error) {
    if (error instanceof SettingsError) return error.message.slice("value: ".length);
    throw error;
  }
}

async function write(ctx: Context, changes: Map<SettingKey, Json>): Promise<void> {
  const file = settingsFile(ctx.settings.dataDir);
  const content = await readSaved(file);
  for (const [key, value] of changes) place(content, key, value);
  closeSecrets(ctx.settings.dataDir, content, changes);
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const announce = (tx: Tx) => announceIn(ctx, tx);
  if (ctx.definitions) await ctx.definitions.change([{ kind: "settings", id: "settings", content: text }], announce);
  else {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFileAtomic(file, text, 0o600);
    await ctx.storage.write(announce);
  }
  reload(ctx);
  if (changes.size > 0) audit(ctx, { type: "settings.changed", details: { settings: [...changes.keys()] } });
}

async function announceIn(ctx: Context, tx: Tx): Promise<void> {
  await invalidate(tx, "settings", ctx.clock.iso());
  await react(ctx, tx, { type: "site.changed", part: "all" });
}

/** The text of a settings file with its secrets encrypted; one that cannot be read stays as it is. */
export function sealSettings(dataDir: string, text: string): string {
  try {
    const content = JSON.parse(text) as Json;
    if (!isJsonObject(content)) return text;
    const before = JSON.stringify(content);
    closeSecrets(dataDir, content, new Map());
    return JSON.stringify(content) === before ? text : `${JSON.stringify(content, null, 2)}\n`;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Where several nodes share a database: settings of other nodes apply when they arrive, and edits of the file are checked. */
export function mirrorSettings(app: App): void {
  const { definitions, settings } = app;
  definitions?.onApplied("settings", () => reload(app));
  definitions?.takeWith("settings", {
    check: async (_id, text) => {
      settings.check(text);
      return sealSettings(settings.dataDir, text);
    },
    refusal: (error) => (error instanceof SettingsError ? error.message : undefined),
    taken: () => app.storage.write((tx) => announceIn(contextFor(app, system), tx)),
  });
}

/** Encrypts the secrets among the changes, and those that were written into the file by hand. */
function closeSecrets(dataDir: string, content: JsonObject, changes: Map<SettingKey, Json>): void {
  for (const key of (Object.keys(settingsTable) as SettingKey[]).filter(isSecretSetting)) {
    const value = find(content, key);
    if (typeof value !== "string" || value === "") continue;
    if (changes.has(key) || !isEncrypted(value)) place(content, key, closeSecret(dataDir, key, value));
  }
}

/** By either spelling: the dotted key, or nested by section. */
function find(content: JsonObject, key: SettingKey): Json | undefined {
  if (content[key] !== undefined) return content[key];
  let found: Json | undefined = content;
  for (const part of key.split(".")) found = isJsonObject(found) ? found[part] : undefined;
  return found;
}

async function readSaved(file: string): Promise<JsonObject> {
  try {
    const parsed = JSON.parse(await readFile(file, "utf8")) as Json;
    if (isJsonObject(parsed)) return parsed;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    if (!(error instanceof SyntaxError)) throw error;
  }
  return fail("unavailable", "The settings file is damaged. Repair or remove it first.");
}

/** Nested by section, whichever of the two spellings the file had before. */
function place(content: JsonObject, key: SettingKey, value: Json): void {
  delete content[key];
  const path = key.split(".");
  const name = path.pop() as string;
  let target = content;
  for (const part of path) {
    const below = target[part];
    const section = isJsonObject(below) ? below : {};
    target[part] = section;
    target = section;
  }
  if (value === null) delete target[name];
  else target[name] = value;
}

function noSuchSection(section: string): never {
  fail("not-found", `There is no settings section "${section}".`);
}
