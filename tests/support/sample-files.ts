// Files for black-box tests: sends them as forms, fetches bytes, draws pictures. It never asserts.

import { readdirSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { type Answer, http, type RequestOptions, type Server } from "../harness.ts";

export interface Form {
  /** The name of the field that holds the file. */
  field: string;
  name: string;
  bytes: string | Uint8Array;
  /** Sent before the file. */
  fields?: Record<string, string>;
  type?: string;
}

/** The options of a request that sends a form with one file. */
export function formOf({ field, name, bytes, fields = {}, type = "application/octet-stream" }: Form): RequestOptions {
  const boundary = "----cairn-test-boundary";
  const parts = Object.entries(fields).map(
    ([key, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    raw: Buffer.concat([
      Buffer.from(parts.join("") + head),
      Buffer.from(bytes as string),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}

/** To `/api/collections/{path}`; the field is the last property in the path unless named. */
export async function upload(
  server: Server,
  path: string,
  form: Omit<Form, "field"> & { field?: string },
): Promise<Answer> {
  const field = form.field ?? (path.split("/")[2] as string);
  const answer = await server.request("POST", `/api/collections/${path}`, formOf({ ...form, field }));
  if (answer.status !== 200) throw new Error(`${path} was not uploaded: ${answer.status} ${answer.text}`);
  return answer;
}

export interface Fetched {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** As `server.request`, for answers that are no text. */
export function fetchBytes(
  server: Server,
  path: string,
  {
    method = "GET",
    headers = {},
    key,
  }: { method?: string; headers?: Record<string, string>; key?: string | null } = {},
): Promise<Fetched> {
  const sent = key === undefined ? server.key : key;
  const { hostname, port } = new URL(server.url);
  const all = { ...(sent !== null && { "x-api-key": sent }), ...headers };
  return new Promise((done, failed) => {
    const outgoing = http.request({ hostname, port, method, path, headers: all }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", failed);
      incoming.on("end", () =>
        done({ status: incoming.statusCode as number, headers: incoming.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    outgoing.on("error", failed);
    outgoing.end();
  });
}

/** What every file below the folder holds, by path. One that goes while it is looked at is left out. */
export function contentsOf(folder: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    try {
      found.set(path, readFileSync(path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return found;
}

/** A picture of one colour, or with a white left half. */
export async function picture(
  width: number,
  height: number,
  {
    format = "jpeg",
    color = "#c03020",
    isSplit = false,
  }: { format?: "jpeg" | "png" | "webp"; color?: string; isSplit?: boolean } = {},
): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const plain = sharp({ create: { width, height, channels: 3, background: color } });
  const half = { create: { width: Math.floor(width / 2), height, channels: 3 as const, background: "#ffffff" } };
  const drawn = isSplit ? plain.composite([{ input: half, left: 0, top: 0 }]) : plain;
  return drawn.toFormat(format).toBuffer();
}

export async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number; format: string }> {
  const { default: sharp } = await import("sharp");
  const { width, height, format } = await sharp(bytes).metadata();
  return { width, height, format };
}
