// Clients that ask and then read nothing, from an address of their own (all of 127.0.0.0/8 is this machine), and the memory of a
// server meanwhile.

import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { http, type Server } from "../harness.ts";

export interface Unread {
  sockets: Socket[];
  close(): void;
}

/** A connection for each list of paths, which are asked for at once. */
export async function askUnread(server: Server, from: string, paths: readonly (readonly string[])[]): Promise<Unread> {
  const { hostname, port } = new URL(server.url);
  const sockets = await Promise.all(
    paths.map(async (asked) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: from });
      socket.on("error", () => {});
      socket.pause();
      await once(socket, "connect");
      socket.write(asked.map((path) => `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`).join(""));
      return socket;
    }),
  );
  return {
    sockets,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

export interface Asked {
  status: number;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes
  body: any;
}

/** Without a credential, on a connection of its own. */
export async function askFrom(server: Server, from: string, path: string): Promise<Asked> {
  const request = http.get(server.url + path, { localAddress: from, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  const { statusCode: status = 0, headers } = response;
  const body = headers["content-type"]?.startsWith("application/json") ? JSON.parse(text) : undefined;
  return { status, headers, body };
}

/** Of the process and its children, in bytes: now, and at most since they began. */
export function memoryOf(pid: number): { now: number; most: number } {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const tree = [String(pid), ...all.filter((name) => field(name, "PPid") === pid)];
  const sum = (name: string) => tree.reduce((bytes, each) => bytes + field(each, name) * 1024, 0);
  return { now: sum("VmRSS"), most: sum("VmHWM") };
}

/** 0 where the process has ended meanwhile. */
function field(pid: string, name: string): number {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
