// Images, files, galleries and depots: metadata of uploaded files, without the bytes.
// Metadata is stored as sent, unknown keys too; a `password` in it goes to the secrets, never to the document.
// Properties of the bytes are taken from the stored value; values about a file that is not stored are dropped.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { cleanFileName } from "#files/file-names.ts";
import { maxElements } from "#schemas/bounds.ts";
import type { Field, FieldKind, Property } from "#schemas/types.ts";
import { factsOf, isFolder, listOf, metadataOf, valueAt } from "#schemas/values/file-values.ts";
import { cleanMetadata, decodeJson, isHarmlessLink, isWithin } from "./clean.ts";
import { passwordKind } from "./password.ts";
import { report, reportAt } from "./report.ts";

const texts = new Set([
  "name",
  "storedAs",
  "alt",
  "link",
  "mime",
  "hash",
  "download",
  "comments",
  "ext",
  "uploadDate",
  "url",
]);
const counts = new Set(["size", "width", "height", "count"]);
const flags = new Set(["featured", "protected"]);

/** Any file may have a password of its own. */
const filePassword: Property = {
  name: "password",
  kind: passwordKind,
  definition: {},
  label: "Password",
  isRequired: false,
  isIndexed: false,
  isUnique: false,
  isPassword: true,
  formerly: [],
};

const uploaded = { isUploaded: true, passwords: passwordsIn } as const;

export const imageKind: FieldKind = {
  ...uploaded,
  type: "image",
  rules: "none",
  isEmpty: (value) => isJsonObject(value) && Object.keys(value).length === 0,
  isShaped: () => false,
  coerce(value, field) {
    const decoded = decodeJson(value);
    if (!isJsonObject(decoded)) return report(field, "must be an object");
    const item = realFile(decoded, storedValue(field), field);
    return item && coerceFile(item, field);
  },
  text: fileText,
};

export const fileKind: FieldKind = { ...imageKind, type: "file" };

export const galleryKind: FieldKind = {
  ...uploaded,
  type: "gallery",
  rules: "counts",
  isEmpty: (value) => Array.isArray(value) && value.length === 0,
  isShaped: () => false,
  coerce(value, field) {
    const decoded = value === "" ? [] : decodeJson(value);
    if (!Array.isArray(decoded)) return report(field, "must be a list of images");
    return coerceFiles(decoded, { field, stored: listOf(storedValue(field)), takesFolders: false });
  },
  text: (value) => (Array.isArray(value) ? value.map(fileText).join(" ") : ""),
};

export const depotKind: FieldKind = {
  ...imageKind,
  type: "depot",
  coerce(value, field) {
    const decoded = decodeJson(value);
    if (!isJsonObject(decoded)) return report(field, "must be an object with files");
    return coerceFolder({ files: [], ...decoded }, storedValue(field), field);
  },
  text: depotText,
};

/** A depot, or a folder in one. */
function coerceFolder(folder: JsonObject, stored: Json | undefined, field: Field): JsonObject | undefined {
  const { files, ...metadata } = folder;
  if (!Array.isArray(files)) return report(field, "must have files in a list");
  const known = isJsonObject(stored) ? listOf(stored.files) : [];
  return {
    ...coerceFile(metadata, field),
    files: coerceFiles(files, { field, stored: known, takesFolders: true }),
  };
}

interface Listed {
  field: Field;
  /** The stored list. */
  stored: Json[];
  takesFolders: boolean;
}

/** Entries are identified by name: their bytes and secrets are stored under it. The first of a name counts. */
function coerceFiles(entries: Json[], { field, stored, takesFolders }: Listed): Json[] {
  if (!isWithin(entries, maxElements, field)) return [];
  const clean: Json[] = [];
  const storedBy = byName(stored);
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const name = isJsonObject(entry) && typeof entry.name === "string" ? entry.name : String(index);
    const below = { ...field, path: `${field.path}.${name}` };
    if (!isJsonObject(entry)) {
      report(below, "must contain objects");
      continue;
    }
    if (seen.has(name)) continue;
    seen.add(name);
    const known = storedBy.get(name);
    const kept = takesFolders && isFolder(entry) ? folderIn(entry, known, below) : fileIn(entry, known, below);
    if (kept) clean.push(kept);
  }
  return clean;
}

/** The first of each name. */
function byName(entries: Json[]): Map<string, Json> {
  const named = new Map<string, Json>();
  for (const entry of entries)
    if (isJsonObject(entry) && typeof entry.name === "string" && !named.has(entry.name)) named.set(entry.name, entry);
  return named;
}

function fileIn(entry: JsonObject, known: Json | undefined, field: Field): JsonObject | undefined {
  const item = isFolder(known) ? undefined : realFile(entry, known, field);
  return item && coerceFile(item, field);
}

/** A folder needs no bytes, so a new one is accepted; its name becomes part of a path. */
function folderIn(entry: JsonObject, known: Json | undefined, field: Field): JsonObject | undefined {
  if (!isFolder(known) && field.write.files) {
    if (known !== undefined) return undefined;
    if (typeof entry.name !== "string" || cleanFileName(entry.name) !== entry.name) {
      return reportAt(field, field.path, "The name of a folder must be a plain name");
    }
  }
  return coerceFolder({ files: [], ...entry }, known, field);
}

/** The stored file, with the sent metadata; undefined when there is no such file. */
function realFile(sent: JsonObject, stored: Json | undefined, { write }: Field): JsonObject | undefined {
  if (!write.files) return sent;
  return isJsonObject(stored) ? { ...factsOf(stored), ...metadataOf(sent) } : undefined;
}

function storedValue({ path, write }: Field): Json | undefined {
  return write.files && valueAt(write.files, path.split("."));
}

function coerceFile({ password, ...metadata }: JsonObject, field: Field): JsonObject {
  const path = `${field.path}.password`;
  passwordKind.coerce(password ?? "", { path, property: filePassword, write: field.write });
  const clean: JsonObject = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (value === null) continue;
    const fault = findFault(key, value);
    const kept = fault ? reportAt(field, `${field.path}.${key}`, fault) : cleanMetadata(value, field);
    if (kept !== undefined) clean[key] = kept;
  }
  return clean;
}

function findFault(key: string, value: Json): string | undefined {
  if (texts.has(key)) {
    if (typeof value !== "string") return `${key} must be text`;
    if (key === "link" && !isHarmlessLink(value)) return "link must be a web address or a path";
  } else if (counts.has(key)) {
    if (typeof value !== "number" || value < 0) return `${key} must be a number of 0 or more`;
  } else if (flags.has(key)) {
    if (typeof value !== "boolean") return `${key} must be true or false`;
  } else if (key === "tags") {
    if (!Array.isArray(value) || !value.every((tag) => typeof tag === "string")) return "tags must be a list of texts";
  } else if (key === "focalpoint") {
    if (!isJsonObject(value) || !isPercent(value.x) || !isPercent(value.y)) {
      return "focalpoint must have x and y from 0 to 100";
    }
  }
  return undefined;
}

function isPercent(value: Json | undefined): boolean {
  return typeof value === "number" && value >= 0 && value <= 100;
}

function passwordsIn(value: Json): string[] {
  const decoded = decodeJson(value);
  const found: string[] = [];
  const collect = (entry: Json): void => {
    if (Array.isArray(entry)) entry.forEach(collect);
    else if (isJsonObject(entry)) {
      if (entry.password !== undefined) found.push(...(passwordKind.passwords?.(entry.password) ?? []));
      if (entry.files !== undefined) collect(entry.files);
    }
  };
  collect(decoded);
  return found;
}

function fileText(value: Json): string {
  if (!isJsonObject(value)) return "";
  const { name = "", alt = "", comments = "", caption = "", tags = [] } = value;
  return [name, alt, comments, caption, ...(Array.isArray(tags) ? tags : [])]
    .filter((text) => typeof text === "string" && text !== "")
    .join(" ");
}

function depotText(value: Json): string {
  if (!isJsonObject(value)) return "";
  const { files } = value;
  return [fileText(value), ...(Array.isArray(files) ? files.map(depotText) : [])].join(" ");
}
