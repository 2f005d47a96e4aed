// Requests to web servers in front of Cairn, as they are written, and what they cost. It never asserts.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { http, type Server } from "../harness.ts";
import { keptConnections } from "./kept-connections.ts";
import { formOf } from "./sample-files.ts";

export const mebibyte = 2 ** 20;

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  localAddress?: string;
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}

const agent = keptConnections(200);

/** The path is sent as it is written. */
export function ask(
  url: string,
  path: string,
  { method = "GET", headers = {}, body, localAddress }: Asked = {},
): Promise<Answered> {
  const { hostname, port } = new URL(url);
  return new Promise((done, failed) => {
    const options = {
      hostname,
      port,
      path,
      method,
      headers,
      agent,
      ...(localAddress && { localAddress, agent: false as const }),
    };
    const outgoing = http.request(options, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part)).on("error", failed);
      incoming.on("end", () => {
        const whole = Buffer.concat(parts);
        done({
          status: incoming.statusCode as number,
          headers: incoming.headers,
          bytes: whole,
          text: whole.toString(),
        });
      });
    });
    outgoing.on("error", failed).end(body);
  });
}

/** Headers that a web server has of its own, or that differ each time. */
const ofTheFront = new Set(
  "date server via connection keep-alive transfer-encoding content-length x-request-id set-cookie content-security-policy".split(
    " ",
  ),
);

/** What must be the same with a web server in front and without. */
export function comparable({ status, headers, text }: Answered): object {
  // Apache names a type where there is nothing to have one.
  const isOurs = (name: string) =>
    !ofTheFront.has(name) && !name.startsWith("x-ratelimit") && !(name === "content-type" && text === "");
  const kept = Object.entries(headers).filter(([name]) => isOurs(name));
  const body = text.replace(
    /"requestId":"[^"]*"|nonce="[^"]*"|name="csrf_token" value="[^"]*"|[A-Za-z0-9_-]{43}/g,
    "…",
  );
  return { status, headers: Object.fromEntries(kept.sort()), body };
}

/** Sends a form with a file of so many bytes, made while it is sent. */
export function sendLarge(server: Server, url: string, path: string, size: number): Promise<Answered> {
  const { raw, headers } = formOf({ field: "file", name: "large.bin", bytes: "" });
  const whole = Buffer.from(raw as Uint8Array);
  const end = whole.lastIndexOf("\r\n--");
  const { hostname, port } = new URL(url);
  const length = { "content-length": String(whole.length + size) };
  const options = { hostname, port, path, method: "POST", headers: { ...headers, "x-api-key": server.key, ...length } };
  return new Promise((done, failed) => {
    const outgoing = http.request(options as object, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("end", () => {
        const all = Buffer.concat(parts);
        done({ status: incoming.statusCode as number, headers: incoming.headers, bytes: all, text: all.toString() });
      });
    });
    outgoing.on("error", failed);
    const piece = randomBytes(mebibyte);
    let left = size;
    const send = () => {
      while (left > 0) {
        const part = piece.subarray(0, Math.min(left, piece.length));
        left -= part.length;
        if (!outgoing.write(part)) return void outgoing.once("drain", send);
      }
      outgoing.end(whole.subarray(end));
    };
    outgoing.write(whole.subarray(0, end));
    send();
  });
}

/** Resident bytes of a process and all that it started. */
export function memoryOf(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean);
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1_024 + children.reduce((sum, child) => sum + memoryOf(Number(child)), 0);
  } catch {
    return 0;
  }
}

/** Resolves when the answer has begun, to a function that reads it to its end and counts its bytes. */
export function beginDownload(server: Server, url: string): Promise<() => Promise<number>> {
  return new Promise((begun, failed) => {
    const outgoing = http.get(`${url}/download/papers/a/file`, { headers: { "x-api-key": server.key } }, (incoming) => {
      const counted = Promise.withResolvers<number>();
      let count = 0;
      incoming.on("end", () => counted.resolve(count)).on("error", counted.reject);
      begun(() => {
        incoming.on("data", (part: Buffer) => {
          count += part.length;
        });
        return counted.promise;
      });
    });
    outgoing.on("error", failed);
  });
}
