// A door is one request that any person can send. This file sends it and says which secrets came back that should not have.

import type { Agent, OutgoingHttpHeaders } from "node:http";
import { http, type Server } from "../harness.ts";
import type { Person } from "./persons.ts";
import { hashes, type Secret, type Secrets, type Surface } from "./secrets.ts";
import { unpack } from "./unpack.ts";

export interface Door {
  /** The operation of the document, or the name of a door that the document does not describe. */
  operation: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string | Uint8Array;
  surface?: Surface;
  /** Asks again what another door asks, with one more parameter. */
  isVariant?: boolean;
  /** A secret that an image shows: its pixels cannot hold a word. */
  shows?: string;
}

const mostTries = 10;

export interface Seen {
  status: number;
  /** Status line, headers and body, unpacked. */
  text: string;
  isImage: boolean;
}

/** Other persons change the same objects: a write that finds no quiet moment is sent again, as its answer says. */
export async function send(server: Server, agent: Agent, door: Door, headers: Record<string, string>): Promise<Seen> {
  for (let tries = 1; ; tries += 1) {
    const seen = await sendOnce(server, agent, door, headers);
    const isBusy = seen.status === 503 && seen.text.includes("Try again in a moment.");
    if (!isBusy || tries === mostTries) return seen;
  }
}

function sendOnce(server: Server, agent: Agent, door: Door, headers: Record<string, string>): Promise<Seen> {
  const { hostname, port } = new URL(server.url);
  const payload = door.raw ?? (door.body === undefined ? undefined : JSON.stringify(door.body));
  const isJson = door.raw === undefined && payload !== undefined;
  const all: OutgoingHttpHeaders = {
    "accept-encoding": "gzip, br",
    ...(isJson && { "content-type": "application/json" }),
    ...headers,
    ...door.headers,
    ...(payload !== undefined && { "content-length": Buffer.byteLength(payload) }),
  };
  const { method, path } = door;
  return new Promise((done, failed) => {
    const outgoing = http.request({ agent, hostname, port, method, path, headers: all }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", failed);
      incoming.on("end", () => {
        const { statusCode = 0, statusMessage, rawHeaders } = incoming;
        const body = unpack(Buffer.concat(chunks), incoming.headers["content-encoding"]);
        const isImage = (incoming.headers["content-type"] ?? "").startsWith("image/");
        done({ status: statusCode, text: `${statusMessage}\n${rawHeaders.join("\n")}\n${body}`, isImage });
      });
    });
    outgoing.on("error", failed);
    outgoing.end(payload);
  });
}

/** The secrets that the answer shows, but for those that the caller sent along. */
export function shown(secrets: Secrets, door: Door, { status, text, isImage }: Seen): Secret[] {
  const sent = `${decodeURIComponent(door.path.replaceAll("%zz", ""))} ${JSON.stringify(door.body) ?? ""} ${door.raw ?? ""}`;
  const found = secrets.find(text, sent);
  const picture = secrets.all.find(({ name }) => name === door.shows);
  return picture && isImage && status === 200 ? [...found, picture] : found;
}

/** For administrators who have confirmed their password: such a file holds the hashes of passwords, too. */
const wholeBackup = "GET /api/backups/{name}";

export function maySee(person: Person, { audience, isHiddenFromAgents }: Secret, surface: Surface = "http"): boolean {
  if (surface === "mcp" && isHiddenFromAgents) return false;
  return audience === "everyone" || person.sees.has(audience);
}

/** One line for each secret that the person may not see, with the request to repeat. */
export function leaks(secrets: Secrets, person: Person, door: Door, seen: Seen): string[] {
  return shown(secrets, door, seen)
    .filter((secret) => !maySee(person, secret, door.surface) && !(isHash(secret) && door.operation === wholeBackup))
    .map(({ name, audience, word }) => {
      const at = seen.text.toLowerCase().indexOf(word);
      const near = at < 0 ? "" : ` near ${JSON.stringify(seen.text.slice(Math.max(0, at - 60), at + 20))}`;
      return `${person.name} got "${name}" (${audience}) from ${door.operation}${near}\n    ${repeatLine(person, door)}`;
    });
}

const isHash = ({ name }: Secret) => name === hashes;

function repeatLine({ headers }: Person, door: Door): string {
  const all = Object.entries({ ...headers, ...door.headers }).map(([name, value]) => ` -H '${name}: ${value}'`);
  const body = door.body === undefined ? "" : ` --json '${JSON.stringify(door.body)}'`;
  return `curl -X ${door.method} '$SITE${door.path}'${all.join("")}${body}`;
}
