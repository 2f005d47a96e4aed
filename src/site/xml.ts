// Writes XML: elements with escaped texts. It reads none.

import { hash } from "node:crypto";

// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that XML cannot hold, escaped or not.
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeXml(text: string): string {
  return text.replace(impossible, "").replace(/[&<>"]/g, (sign) => entities[sign] as string);
}

/** Empty where there is no text. */
export function element(name: string, text: string): string {
  return text === "" ? "" : `<${name}>${escapeXml(text)}</${name}>`;
}

export interface XmlFile {
  text: string;
  /** Quoted, strong. */
  etag: string;
}

/** `root`: its only element, as text. */
export function xmlFile(root: string): XmlFile {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
  return { text, etag: `"${hash("sha256", text, "hex").slice(0, 32)}"` };
}
