// Images, files, galleries and depots: what is known about uploaded files. The bytes are not here.
// Metadata is kept as sent, unknown keys too; a `password` in it goes to the secrets, never to the document.

import type { Property } from "#content/schema-types.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { cleanMetadata, decodeJson, isHarmlessLink } from "./clean.ts";
import { type Field, type FieldKind, report, reportAt } from "./kind.ts";
import { passwordKind } from "./password.ts";

const texts = new Set(["name", "alt", "link", "mime", "hash", "download", "comments", "ext", "uploadDate", "url"]);
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
    return isJsonObject(decoded) ? coerceFile(decoded, field) : report(field, "must be an object");
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
    return Array.isArray(decoded) ? coerceFiles(decoded, field) : report(field, "must be a list of images");
  },
  text: (value) => (Array.isArray(value) ? value.map(fileText).join(" ") : ""),
};

export const depotKind: FieldKind = {
  ...imageKind,
  type: "depot",
  coerce(value, field) {
    const decoded = decodeJson(value);
    if (!isJsonObject(decoded)) return report(field, "must be an object with files");
    return coerceFolder({ files: [], ...decoded }, field);
  },
  text: depotText,
};

function coerceFolder(folder: JsonObject, field: Field): JsonObject | undefined {
  const { files, ...metadata } = folder;
  if (!Array.isArray(files)) return report(field, "must have files in a list");
  return { ...coerceFile(metadata, field), files: coerceFiles(files, field) };
}

/** Entries are told apart by name: their secrets lie under it. */
function coerceFiles(entries: Json[], field: Field): Json[] {
  const clean: Json[] = [];
  for (const [index, entry] of entries.entries()) {
    const name = isJsonObject(entry) && typeof entry.name === "string" ? entry.name : String(index);
    const below = { ...field, path: `${field.path}.${name}` };
    if (!isJsonObject(entry)) report(below, "must hold objects");
    else {
      const kept = entry.mime === "folder" ? coerceFolder({ files: [], ...entry }, below) : coerceFile(entry, below);
      if (kept) clean.push(kept);
    }
  }
  return clean;
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
