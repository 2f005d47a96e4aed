// Detects the type of a file from its bytes. The only check of types: the sender has no say, except for the names of
// plain text (CSV and Markdown look alike) and of a few packed formats, none of which a browser runs.

import { open } from "node:fs/promises";
import { extname } from "node:path";
import type * as FileTypePackage from "file-type";
import { lazily } from "#base/lazy.ts";
import { isJsonText } from "#base/text.ts";

const fileType = lazily<typeof FileTypePackage>("file-type");

export interface FileType {
  mime: string;
  /** The right extension, without the dot; the name's own when it fits. */
  extension: string;
  isImage: boolean;
  /** A browser would run scripts in it: never to be shown in the site's origin. */
  isActive: boolean;
}

/** Enough for every signature, and for the first names in a packed document. */
const headSize = 256 * 1024;

const html = "text/html";
const svg = "image/svg+xml";
const xml = "application/xml";
const xhtml = "application/xhtml+xml";
const unknown = "application/octet-stream";

const activeTypes = new Set([
  html,
  svg,
  xml,
  xhtml,
  "application/x-shockwave-flash",
  "message/rfc822",
  "text/javascript",
]);

/** Kinds of text by their extensions, the usual one first: the bytes show that it is text, the name which kind. */
const textTypes: Record<string, readonly string[]> = {
  "application/json": ["json", "geojson", "webmanifest"],
  "application/x-subrip": ["srt"],
  "application/yaml": ["yaml", "yml"],
  "message/rfc822": ["eml", "mht", "mhtml"],
  "text/calendar": ["ics"],
  "text/css": ["css"],
  "text/csv": ["csv"],
  "text/html": ["html", "htm", "shtml"],
  "text/javascript": ["js", "mjs", "cjs"],
  "text/markdown": ["md", "markdown"],
  "text/plain": ["txt", "log"],
  "text/tab-separated-values": ["tsv"],
  "text/vcard": ["vcf"],
  "text/vtt": ["vtt"],
  [xhtml]: ["xhtml", "xht"],
  [xml]: ["xml", "xsl", "xslt", "rss", "atom", "gpx", "kml"],
};

/** Signatures that are text themselves. Others, such as `BM` for a bitmap, are only the first letters of some text. */
const textSignatures = new Set([
  "application/pdf",
  "application/postscript",
  "application/eps",
  "application/rtf",
  "text/calendar",
  "text/vcard",
  "text/vtt",
]);

/** The documents of old office programs share one signature. */
const compoundTypes: Record<string, string> = {
  doc: "application/msword",
  msg: "application/vnd.ms-outlook",
  ppt: "application/vnd.ms-powerpoint",
  xls: "application/vnd.ms-excel",
};

const alike: Record<string, readonly string[]> = {
  "audio/midi": ["mid", "midi"],
  "audio/mpeg": ["mp3", "mpga"],
  "audio/ogg": ["ogg", "oga"],
  "image/heic": ["heic", "heif"],
  "image/heif": ["heif", "heic"],
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/tiff": ["tif", "tiff"],
  "video/mp4": ["mp4", "m4v"],
  "video/mpeg": ["mpg", "mpeg"],
  [svg]: ["svg"],
  ...textTypes,
};

export async function sniffType(file: string | { path: string }, name: string): Promise<FileType> {
  return sniffBytes(await readHead(typeof file === "string" ? file : file.path), name);
}

/** `head` is the beginning of the file, or all of it. */
export async function sniffBytes(head: Uint8Array, name: string): Promise<FileType> {
  const named = extname(name).slice(1).toLowerCase();
  const text = decodeText(head);
  const signature = await fileType().fileTypeFromBuffer(head);
  const mime = text === undefined ? binaryType(signature?.mime, named) : textType(text, signature?.mime, named);
  const usual = alike[mime] ?? [signature?.ext ?? (named || "bin")];
  const keeps = usual.includes(named) || (mime === unknown && named !== "") || compoundTypes[named] === mime;
  return {
    mime,
    extension: keeps ? named : (usual[0] as string),
    isImage: mime.startsWith("image/"),
    isActive: activeTypes.has(mime),
  };
}

async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headSize), 0, headSize, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function binaryType(signature: string | undefined, named: string): string {
  if (signature === "application/x-cfb") return compoundTypes[named] ?? signature;
  return signature?.split(";")[0] ?? unknown;
}

/** Text that a browser would take for a document is one, whatever its name. */
function textType(text: string, signature: string | undefined, named: string): string {
  const root = findRoot(text);
  if (root !== undefined) return root;
  if (signature && textSignatures.has(signature)) return signature;
  // The head of a longer one may be cut off anywhere.
  if (/^\s*[[{]/.test(text) && (named === "" || named === "txt") && isJsonText(text)) return "application/json";
  return Object.keys(textTypes).find((type) => textTypes[type]?.includes(named)) ?? "text/plain";
}

/** Undefined for bytes that are not text. */
function decodeText(head: Uint8Array): string | undefined {
  const mark = Buffer.from(head.subarray(0, 2)).toString("hex");
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
  const text = decode(head, encoding) ?? decode(head, "latin1") ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these do not occur in text
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text;
}

function decode(head: Uint8Array, encoding: string): string | undefined {
  try {
    // As a stream: the last character may be cut in two.
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
  } catch {
    return undefined;
  }
}

const htmlStart =
  /^<(?:!doctype\s+html|html|head|body|script|iframe|style|title|table|div|span|font|h1|img|form|meta|link|br|p|a|b)(?:[\s>/]|$)/i;

/** HTML, SVG or other XML by the first element, after declarations and comments. */
function findRoot(text: string): string | undefined {
  let rest = text.trimStart();
  let isXml = false;
  for (;;) {
    const isXhtml = /^<html[^>]{0,1000}w3\.org\/1999\/xhtml/i.test(rest);
    if (isXhtml) return xhtml;
    if (htmlStart.test(rest)) return isXml ? xml : html;
    const length = preambleLength(rest);
    if (length === 0) break;
    isXml ||= /^<\?xml/i.test(rest);
    rest = rest.slice(length).trimStart();
    // The root is beyond the bytes that are read: assume the worst.
    if (rest === "") return xml;
  }
  if (/^<(?:[\w.-]+:)?svg[\s>/]/i.test(rest)) return svg;
  return isXml ? xml : undefined;
}

/** Of a comment, a processing instruction or a document type at the start; 0 for anything else. */
function preambleLength(text: string): number {
  const until = (end: string, from = 0) => {
    const at = text.indexOf(end, from);
    return at < 0 ? text.length : at + end.length;
  };
  if (text.startsWith("<!--")) return until("-->");
  if (text.startsWith("<?")) return until("?>");
  if (!/^<!doctype\s/i.test(text)) return 0;
  const end = until(">");
  return text.slice(0, end).includes("[") ? until(">", until("]")) : end;
}
