// The effective settings. Order, later wins:
// defaults < cairn.config.json < environment < {data_dir}/.system/settings.json < command-line flags.

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseDuration } from "#base/durations.ts";
import {
  decryptSecret,
  encryptSecret,
  findSiteKey,
  getSiteKey,
  isEncrypted,
  parseSiteKey,
  useSiteKey,
} from "#base/secrets.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { SettingSource } from "#contract/settings.ts";
import { type Setting, type SettingKey, type SettingValue, settingsTable } from "./settings-table.ts";

export interface Settings {
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  /** Absolute path of the project, with cairn.config.json and public/. */
  readonly projectDir: string;
  get<K extends SettingKey>(key: K): SettingValue<K>;
  /** All set values of a section, or of one key, secrets masked; for display. */
  show(section?: string): Json | undefined;
  /** Where the present value comes from. */
  sourceOf(key: SettingKey): SettingSource;
  /** Of a setting that is read at start: it has another value by now. */
  waits(key: SettingKey): boolean;
  /** Saved secrets that the present site key cannot decrypt. They count as not saved. */
  readonly unreadable: readonly SettingKey[];
  /** Reads the files again. Throws a SettingsError that names the key when a value is invalid; then nothing has changed. */
  reload(): void;
  /** Throws a SettingsError when this could not be the file of saved settings. */
  check(text: string): void;
}

export class SettingsError extends Error {}

/** Shown instead of a secret that is set. */
export const secretMask = "********";

/** Problems of a value beyond its type, by the names in it, or by an empty name for the value itself. */
export type SettingRules = { readonly [K in SettingKey]?: (value: SettingValue<K>) => Record<string, string[]> };

/** `htmlclean.allowedTags`, or a name within it. */
export function settingPath(key: string, name: string): string {
  return name === "" ? key : `${key}.${name}`;
}

export interface StartOptions {
  projectDir: string;
  env: Record<string, string | undefined>;
  /** Command-line flags; they win over everything. */
  flags?: { host?: string; port?: string; data?: string; workers?: string };
  rules?: SettingRules;
}

export function loadSettings(options: StartOptions): Settings {
  const dataDir = resolve(options.projectDir, chosenDataDir(options));
  useSiteKey(dataDir, givenSiteKey(options.env));
  let values = new Map<string, Json>();
  let sources = new Map<string, SettingSource>();
  let unreadable: SettingKey[] = [];

  function readSaved(nested: JsonObject): Map<string, Json> {
    const saved = new Map<string, Json>();
    merge(saved, nested, "settings.json");
    checkRules(saved, "settings.json", options.rules);
    return saved;
  }

  function read(): Map<string, Json> {
    const closed: SettingKey[] = [];
    const next = new Map<string, Json>();
    const from = new Map<string, SettingSource>();
    for (const [key, setting] of Object.entries(settingsTable)) next.set(key, setting.default as Json);
    const configured = new Map<string, Json>();
    merge(configured, readJson(resolve(options.projectDir, "cairn.config.json")), "cairn.config.json");
    for (const [key, value] of configured) {
      next.set(key, value);
      from.set(key, "file");
    }
    checkRules(next, "cairn.config.json", options.rules);
    for (const [key, setting] of Object.entries<Setting<Json>>(settingsTable)) {
      const name = setting.env?.find(
        (candidate) => options.env[candidate] !== undefined && options.env[candidate] !== "",
      );
      if (!name) continue;
      next.set(key, parseSetting(key as SettingKey, options.env[name] as string, name));
      from.set(key, "environment");
    }
    for (const [key, value] of readSaved(readJson(settingsFile(dataDir)))) {
      const opened = openSecret(dataDir, key as SettingKey, value);
      if (opened === undefined) closed.push(key as SettingKey);
      else {
        next.set(key, opened);
        from.set(key, "saved");
      }
    }
    for (const [key, value] of Object.entries(options.flags ?? {})) {
      if (value === undefined || key === "data") continue;
      next.set(key, parseSetting(key as SettingKey, value, `--${key}`));
      from.set(key, "flag");
    }
    sources = from;
    unreadable = closed;
    return next;
  }

  values = read();
  const started = values;
  return {
    dataDir,
    projectDir: options.projectDir,
    get unreadable() {
      return unreadable;
    },
    get: (key) => values.get(key) as never,
    show: (section) => showSettings(values, section),
    sourceOf: (key) => sources.get(key) ?? "default",
    waits: (key) =>
      (settingsTable[key] as Setting<Json>).atStart === true &&
      JSON.stringify(started.get(key)) !== JSON.stringify(values.get(key)),
    reload() {
      values = read();
    },
    check: (text) => void readSaved(JSON.parse(text) as JsonObject),
  };
}

export function settingsFile(dataDir: string): string {
  return resolve(dataDir, ".system", "settings.json");
}

/** Never an empty path, which would be the project itself. An empty variable counts as unset, as for every setting. */
function chosenDataDir({ projectDir, env, flags }: StartOptions): string {
  if (flags?.data === "") throw new SettingsError("--data: data must be the path of a folder.");
  const { data: configured = "data" } = readJson(resolve(projectDir, "cairn.config.json"));
  if (typeof configured !== "string" || configured === "") {
    throw new SettingsError("cairn.config.json: data must be the path of a folder.");
  }
  return flags?.data || env.CAIRN_DATA || configured;
}

/** Not a setting: it must not lie where settings lie. */
function givenSiteKey({ CAIRN_SITE_KEY: text, CAIRN_SITE_KEY_FILE: file }: StartOptions["env"]): Buffer | undefined {
  const wanted = "32 bytes, as they are or as hex or base64";
  if (text) return parseSiteKey(Buffer.from(text)) ?? refuse(`CAIRN_SITE_KEY must be ${wanted}.`);
  if (!file) return undefined;
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch {
    return refuse(`CAIRN_SITE_KEY_FILE: ${file} cannot be read.`);
  }
  return parseSiteKey(content) ?? refuse(`CAIRN_SITE_KEY_FILE: ${file} must contain ${wanted}.`);
}

function refuse(message: string): never {
  throw new SettingsError(message);
}

function readJson(file: string): JsonObject {
  if (!existsSync(file)) return {};
  let parsed: Json;
  try {
    parsed = JSON.parse(readFileSync(file, "utf8")) as Json;
  } catch {
    throw new SettingsError(`${file} is not valid JSON.`);
  }
  if (!isJsonObject(parsed)) throw new SettingsError(`${file} must contain a JSON object.`);
  return parsed;
}

/** Merges a nested object into the flat values; unknown keys are left for later versions. */
function merge(values: Map<string, Json>, nested: JsonObject, source: string, prefix = ""): void {
  for (const [name, value] of Object.entries(nested)) {
    const key = prefix + name;
    if (isSettingKey(key)) values.set(key, checkSetting(key, value, source));
    else if (isJsonObject(value)) merge(values, value, source, `${key}.`);
  }
}

function checkRules(values: Map<string, Json>, source: string, rules: SettingRules = {}): void {
  for (const [key, findProblems] of Object.entries(rules)) {
    const value = values.get(key);
    const [first] = value === undefined ? [] : Object.entries(findProblems(value as never));
    if (first) throw new SettingsError(`${source}: ${settingPath(key, first[0])} ${first[1].join(", ")}.`);
  }
}

/** Saved secrets are encrypted, or in plain text when the file was edited by hand. */
function openSecret(dataDir: string, key: SettingKey, value: Json): Json | undefined {
  if (!isSecretSetting(key) || typeof value !== "string" || !isEncrypted(value)) return value;
  const siteKey = findSiteKey(dataDir);
  return siteKey && decryptSecret(siteKey, value, secretPurpose(key));
}

/** A secret setting as it is stored in the file. */
export function closeSecret(dataDir: string, key: SettingKey, value: string): string {
  return encryptSecret(getSiteKey(dataDir), value, secretPurpose(key));
}

function secretPurpose(key: SettingKey): string {
  return `setting ${key}`;
}

export function isSecretSetting(key: SettingKey): boolean {
  return "secret" in settingsTable[key];
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingsTable, key);
}

/** From the text of an environment variable or a flag. */
export function parseSetting(key: SettingKey, value: string, source: string): Json {
  const { type } = settingsTable[key];
  if (type === "string" || type === "timezone" || type === "duration") return checkSetting(key, value, source);
  if (type === "strings")
    return checkSetting(
      key,
      value
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
      source,
    );
  if (type === "boolean")
    return checkSetting(
      key,
      value === "true" || value === "1" ? true : value === "false" || value === "0" ? false : value,
      source,
    );
  return checkSetting(key, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value, source);
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function checkSetting(key: SettingKey, value: Json, source: string): Json {
  const setting: Setting<Json> = settingsTable[key];
  const complain = (expected: string): never => {
    throw new SettingsError(`${source}: ${key} must be ${expected}.`);
  };
  switch (setting.type) {
    case "string":
      if (typeof value !== "string") return complain("text");
      if (setting.needed && value === "") return complain("a text that is not empty");
      if (setting.oneOf && !setting.oneOf.includes(value)) return complain(`one of ${setting.oneOf.join(", ")}`);
      if (setting.form && value !== "" && !setting.form.fits(value)) return complain(setting.form.about);
      return value;
    case "timezone":
      return typeof value === "string" && isTimezone(value) ? value : complain("a time zone such as Europe/Paris");
    case "duration":
      if (typeof value === "string" && (parseDuration(value) ?? -1) >= (setting.min ?? 1)) return value;
      return complain("a duration such as PT15M or P1D");
    case "integer":
    case "number":
      if (setting.auto && value === "auto") return setting.auto();
      if (typeof value !== "number" || !Number.isFinite(value)) return complain("a number");
      if (setting.type === "integer" && !Number.isSafeInteger(value)) return complain("a whole number");
      if (setting.min !== undefined && value < setting.min) return complain(`at least ${setting.min}`);
      if (setting.max !== undefined && value > setting.max) return complain(`at most ${setting.max}`);
      return value;
    case "boolean":
      return typeof value === "boolean" ? value : complain("true or false");
    case "object":
      return isJsonObject(value) ? value : complain("an object");
    case "strings":
      if (!Array.isArray(value) || !value.every((part) => typeof part === "string")) return complain("a list of texts");
      if (setting.oneOf && !value.every((part) => setting.oneOf?.includes(part as string))) {
        return complain(`a list of ${setting.oneOf.join(", ")}`);
      }
      if (setting.form && !value.every((part) => setting.form?.fits(part as string)))
        return complain(setting.form.about);
      return value;
  }
}

function showSettings(values: Map<string, Json>, section?: string): Json | undefined {
  const shown: JsonObject = {};
  let found = section === undefined;
  for (const [key, value] of values) {
    if (section !== undefined && key !== section && !key.startsWith(`${section}.`)) continue;
    found = true;
    const setting: Setting<Json> = settingsTable[key as SettingKey];
    const visible = setting.secret && value !== "" ? secretMask : value;
    if (key === section) return visible;
    const path = (section === undefined ? key : key.slice(section.length + 1)).split(".");
    let target = shown;
    for (const part of path.slice(0, -1)) {
      target[part] ??= {};
      target = target[part] as JsonObject;
    }
    target[path.at(-1) as string] = visible;
  }
  return found ? shown : undefined;
}
