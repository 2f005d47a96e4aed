// Multipart forms for black-box tests, part by part, in the order given. It never asserts.

import { randomBytes } from "node:crypto";
import type { Answer, RequestOptions, Server } from "../harness.ts";

/** A field, or a file; `disposition` replaces the header that names it. */
export type Part =
  | { field: string; value: string }
  | { field: string; name: string; bytes: string | Uint8Array; disposition?: string };

export function multipart(parts: Part[]): RequestOptions {
  const boundary = `----cairn${randomBytes(8).toString("hex")}`;
  const chunks: Buffer[] = [];
  for (const part of parts) {
    const file = "value" in part ? "" : `; filename="${part.name}"`;
    const given = "disposition" in part ? part.disposition : undefined;
    const disposition = given ?? `form-data; name="${part.field}"${file}`;
    chunks.push(Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`));
    chunks.push(Buffer.from("value" in part ? part.value : (part.bytes as string)), Buffer.from("\r\n"));
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { raw: Buffer.concat(chunks), headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}

export interface Chunk {
  field: string;
  name: string;
  bytes: Uint8Array;
  index: number;
  total: number;
  uuid?: string;
  /** The fields come behind the file. */
  isLate?: boolean;
}

export function chunk({ field, name, bytes, index, total, uuid, isLate }: Chunk): RequestOptions {
  const fields = [
    { field: "dzchunkindex", value: String(index) },
    { field: "dztotalchunkcount", value: String(total) },
    ...(uuid === undefined ? [] : [{ field: "dzuuid", value: uuid }]),
  ];
  const file = { field, name, bytes };
  return multipart(isLate ? [file, ...fields] : [...fields, file]);
}

/** With the options of another request over it. */
export function send(server: Server, path: string, form: RequestOptions, more: RequestOptions = {}): Promise<Answer> {
  return server.request("POST", path, { ...form, ...more, headers: { ...form.headers, ...more.headers } });
}
