// Sessions of MCP clients of the 2025 revisions: opened, found on each request, ended by the client or by time.
// A session is not a credential: it belongs to one principal, and is unknown to all others. Stored, so that every process of
// the installation knows it and a restart does not end it; only the hash of its id is.

import { hash } from "node:crypto";
import type { Logger } from "pino";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import type { Clock } from "#base/clock.ts";
import { fail } from "#base/errors.ts";
import { networkOf } from "#base/net/addresses.ts";
import type { JsonObject } from "#contract/json.ts";
import { lockName } from "#storage/name-locks.ts";
import type { Storage } from "#storage/port.ts";
import {
  countMcpSessions,
  deleteIdleMcpSessions,
  deleteMcpSession,
  findMcpSession as findRow,
  insertMcpSession,
  lockMcpSession,
  stampMcpSession,
  trimMcpSessions,
  updateMcpSubscriptions,
} from "#storage/tables/mcp-sessions.ts";
import type { Actor } from "./actor.ts";
import { verdictRoom } from "./verdicts.ts";

interface Parts {
  storage: Storage;
  clock: Clock;
  log: Logger;
}

export interface McpSession {
  principal: string;
  /** The params of the client's `initialize`. */
  opening: JsonObject;
  /** Addresses of the resources it follows. */
  subscriptions: ReadonlySet<string>;
  lastSeen: number;
}

const idleMs = 24 * 3_600_000;
const stampEveryMs = 5 * 60_000;
const keptInMemory = 10_000;
const maxOfPrincipal = 2_000;
const maxOfAddress = 50;
const maxSubscriptions = 200;

const nobody = "anonymous ";

/** Callers without credentials are distinguished by network, so that one cannot use up the room of the others. */
export function ownerOf(principal: string, { kind }: Actor, address: string): string {
  return kind === "anonymous" ? nobody + (networkOf(address) ?? address) : principal;
}

export function isNobodys(owner: string): boolean {
  return owner.startsWith(nobody);
}

export async function openMcpSession(
  app: Parts,
  id: string,
  { principal, opening }: Pick<McpSession, "principal" | "opening">,
): Promise<void> {
  const now = app.clock.now();
  const created = new Date(now).toISOString();
  await app.storage.write(async (tx) => {
    await lockName(tx, `mcp-sessions ${principal}`);
    await deleteIdleMcpSessions(tx, new Date(now - idleMs).toISOString());
    await trimMcpSessions(tx, principal, (isNobodys(principal) ? maxOfAddress : maxOfPrincipal) - 1);
    await insertMcpSession(tx, {
      ...{ hash: mcpSessionHash(id), principal, opening: JSON.stringify(opening), subscriptions: "[]" },
      ...{ created, lastSeen: created },
    });
  });
}

/** By the hash of the id; kept until any session ends or changes. */
const sessions = createVersionedMap<Storage, McpSession>(
  (storage) => storage.version("mcp-sessions"),
  verdictRoom(keptInMemory),
);

/** At once when it is kept, else a promise. */
export function findMcpSession(app: Parts, id: string): McpSession | undefined | Promise<McpSession | undefined> {
  const digest = mcpSessionHash(id);
  const found = sessions.get(app.storage, digest, () => readSession(app, digest));
  return found instanceof Promise
    ? found.then((session) => stillOpen(app, digest, session))
    : stillOpen(app, digest, found);
}

async function readSession({ storage }: Parts, digest: string): Promise<McpSession | undefined> {
  const row = await findRow(storage, digest);
  if (!row) return undefined;
  return {
    principal: row.principal,
    opening: JSON.parse(row.opening) as JsonObject,
    subscriptions: new Set(JSON.parse(row.subscriptions) as string[]),
    lastSeen: Date.parse(row.lastSeen),
  };
}

/** Each use puts off the end; written at most once in some minutes, outside the request. */
function stillOpen(app: Parts, digest: string, session: McpSession | undefined): McpSession | undefined {
  if (!session) return undefined;
  const now = app.clock.now();
  if (now - session.lastSeen > idleMs) return undefined;
  if (now - session.lastSeen > stampEveryMs) {
    session.lastSeen = now;
    app.storage
      .write((tx) => stampMcpSession(tx, digest, new Date(now).toISOString()))
      .catch((error) => app.log.warn({ err: error }, "a session could not be stamped"));
  }
  return session;
}

export async function followResource(app: Parts, id: string, uri: string, isFollowed: boolean): Promise<void> {
  await app.storage.write(async (tx) => {
    const row = await lockMcpSession(tx, mcpSessionHash(id));
    if (!row) return;
    const uris = new Set(JSON.parse(row.subscriptions) as string[]);
    if (uris.has(uri) === isFollowed) return;
    if (isFollowed) uris.add(uri);
    else uris.delete(uri);
    if (uris.size > maxSubscriptions) fail("invalid", `A session follows at most ${maxSubscriptions} resources.`);
    await updateMcpSubscriptions(tx, row.hash, JSON.stringify([...uris]));
  });
}

export async function endMcpSession(app: Parts, id: string): Promise<void> {
  await app.storage.write((tx) => deleteMcpSession(tx, mcpSessionHash(id)));
}

/** Of all processes. */
export function countOpenMcpSessions(app: Pick<Parts, "storage" | "clock">): Promise<number> {
  return countMcpSessions(app.storage, new Date(app.clock.now() - idleMs).toISOString());
}

/** How a session is named where it is stored. */
export function mcpSessionHash(id: string): string {
  return hash("sha256", id, "hex");
}
