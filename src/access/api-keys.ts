// API keys: made, listed, deleted, and recognised on each request.
// A key itself exists only in the answer to its creation; stored are its SHA-256 and the first characters.

import { hash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import { createLru } from "#base/caches/lru.ts";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import type { Clock } from "#base/clock.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { type ApiKey, type KeyMethod, keyMethods } from "#contract/keys.ts";
import { note } from "#storage/notes.ts";
import type { Storage } from "#storage/port.ts";
import {
  findKeyByHash,
  findKeyById,
  insertKey,
  type KeyRow,
  deleteKey as removeKey,
  stampKeys,
  listKeys as storedKeys,
} from "#storage/tables/keys.ts";
import type { KeyActor, PresentedKey } from "./actor.ts";
import { allow } from "./allow.ts";
import { type Audited, audit } from "./audit.ts";
import { entryOfAgents, limitsOf } from "./key-limits.ts";
import { isKeyMethod, isWithin, keyScope, normalizeEndpoint } from "./key-scope.ts";
import { confirmPower } from "./recent-proof.ts";
import { verdictRoom } from "./verdicts.ts";

interface Parts {
  storage: Storage;
  clock: Clock;
  log: Logger;
}

type Caller = Parts & Audited;

const keyPrefix = "cairn_";
const shownCharacters = 12;
const maxKnown = 10_000;
const maxNameLength = 200;
const maxEndpoints = 100;
const stampDelay = 1_000;
const stampInterval = 60_000;

/** A key that asks cannot give what it does not have. */
export async function createKey(ctx: Caller, body: Json): Promise<ApiKey & { key: string }> {
  allow(ctx, "create", { kind: "keys" });
  await confirmPower(ctx);
  const { name, methods, endpoints, published } = checkKey(body);
  const within = ctx.actor.kind === "key" ? ctx.actor.scope : undefined;
  if (within && !isWithin(keyScope(methods, endpoints, published), within)) {
    fail("forbidden", "A key cannot make a key that opens more than it opens itself.");
  }
  const key = keyPrefix + randomBytes(32).toString("base64url");
  const record: ApiKey = {
    id: randomUUID(),
    name,
    prefix: key.slice(0, shownCharacters),
    methods,
    endpoints,
    ...(published && { published: true as const }),
    created: ctx.clock.iso(),
    lastUsed: null,
  };
  const row: KeyRow = {
    ...record,
    hash: hashKey(key),
    methods: JSON.stringify(methods),
    endpoints: JSON.stringify(endpoints),
    published: Number(published),
  };
  await ctx.storage.write((tx) => insertKey(tx, row));
  audit(ctx, { type: "key.created", details: { key: record.id, name, methods, endpoints, published } });
  return { ...record, key };
}

export async function listKeys(ctx: Caller): Promise<ApiKey[]> {
  allow(ctx, "read", { kind: "keys" });
  const { pending } = stateOf(ctx.storage);
  return (await storedKeys(ctx.storage)).map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    methods: JSON.parse(row.methods) as KeyMethod[],
    endpoints: JSON.parse(row.endpoints) as string[],
    ...(row.published === 1 && { published: true as const }),
    created: row.created,
    lastUsed: pending.get(row.id) ?? row.lastUsed,
  }));
}

export async function deleteKey(ctx: Caller, id: string): Promise<void> {
  allow(ctx, "delete", { kind: "keys" });
  await confirmPower(ctx);
  const isDeleted = await ctx.storage.write((tx) => removeKey(tx, id));
  if (!isDeleted) fail("not-found", "There is no such API key.");
  audit(ctx, { type: "key.deleted", details: { key: id } });
}

/** By the key itself: in memory only, and only until any key changes. */
const knownKeys = createVersionedMap<Storage, PresentedKey>(
  (storage) => storage.version("keys"),
  verdictRoom(maxKnown),
);

/** At once for a key that is kept, else a promise. */
export function authenticateKey(
  app: Parts,
  rawKey: string,
): PresentedKey | undefined | Promise<PresentedKey | undefined> {
  if (!rawKey.startsWith(keyPrefix)) return undefined;
  const found = knownKeys.get(app.storage, rawKey, () => readKey(app, rawKey));
  return found instanceof Promise ? found.then((key) => noteUse(app, key)) : noteUse(app, found);
}

async function readKey({ storage }: Parts, rawKey: string): Promise<PresentedKey | undefined> {
  const digest = hashKey(rawKey);
  const row = await findKeyByHash(storage, digest);
  return row && timingSafeEqual(Buffer.from(row.hash), Buffer.from(digest)) ? keyOf(row) : undefined;
}

function keyOf({ id, name, methods, endpoints, published }: KeyRow): PresentedKey {
  const scope = keyScope(JSON.parse(methods), JSON.parse(endpoints), published === 1);
  return { kind: "key", id, name, limits: limitsOf(scope), scope };
}

/** The key of this id as it is now, for work in its name; undefined: it was deleted. `surface`: where the work was begun. */
export async function findKeyActor(
  { storage }: Pick<Parts, "storage">,
  id: string,
  surface?: "mcp",
): Promise<KeyActor | undefined> {
  const row = await findKeyById(storage, id);
  if (!row) return undefined;
  const { scope: _, ...actor } = keyOf(row);
  const entry = surface && entryOfAgents(actor.limits);
  return entry ? { ...actor, entry } : actor;
}

/** Writes the collected `lastUsed` times; also called when the app closes. */
export async function flushKeyStamps(app: Parts): Promise<void> {
  const state = stateOf(app.storage);
  clearTimeout(state.timer);
  state.timer = undefined;
  state.flushed = app.clock.now();
  if (state.pending.size === 0) return;
  const stamps = [...state.pending].map(([id, lastUsed]) => ({ id, lastUsed }));
  state.pending.clear();
  await note(app.storage, (tx) => stampKeys(tx, stamps));
}

function noteUse(app: Parts, key: PresentedKey | undefined): PresentedKey | undefined {
  if (key) noteUseOf(app, key.id);
  return key;
}

function noteUseOf(app: Parts, id: string): void {
  const state = stateOf(app.storage);
  const now = app.clock.now();
  // One time per key and second is exact enough, and formatting a time costs more than the rest of the check.
  if (now - (state.noted.get(id) ?? 0) < 1_000) return;
  state.noted.set(id, now);
  state.pending.set(id, new Date(now).toISOString());
  if (state.timer) return;
  const wait = Math.max(stampDelay, state.flushed + stampInterval - now);
  state.timer = setTimeout(() => {
    flushKeyStamps(app).catch((error) => app.log.warn({ err: error }, "key usage could not be stamped"));
  }, wait).unref();
}

const stateOf = perInstance((_storage: Storage) => ({
  /** When a use was last noted, by key id. */
  noted: createLru<number>(maxKnown),
  /** `lastUsed` times not yet written, by key id. */
  pending: new Map<string, string>(),
  flushed: 0,
  timer: undefined as NodeJS.Timeout | undefined,
}));

function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

function checkKey(body: Json): Pick<ApiKey, "name" | "methods" | "endpoints"> & { published: boolean } {
  if (!isJsonObject(body)) fail("invalid", "An API key is described by an object.");
  const details: ErrorDetails = {};
  const name = typeof body.name === "string" ? body.name.trim() : "";
  if (name === "") details.name = ["API key name is required"];
  else if (name.length > maxNameLength) details.name = [`must not be longer than ${maxNameLength} characters`];

  const methods = asList(body.methods);
  if (methods.length === 0) details.methods = ["At least one HTTP method must be selected"];
  else if (!methods.every(isKeyMethod)) details.methods = [`must be a list of ${keyMethods.join(", ")}`];

  const endpoints = asList(body.endpoints).map((endpoint) =>
    typeof endpoint === "string" ? { endpoint, kept: normalizeEndpoint(endpoint) } : { endpoint, kept: undefined },
  );
  const unknown = endpoints.filter(({ kept }) => kept === undefined).map(({ endpoint }) => JSON.stringify(endpoint));
  if (endpoints.length === 0) details.endpoints = ["At least one endpoint must be selected"];
  else if (endpoints.length > maxEndpoints) details.endpoints = [`must not be more than ${maxEndpoints}`];
  else if (unknown.length > 0) details.endpoints = unknown.map((endpoint) => `${endpoint.slice(0, 80)} is no endpoint`);

  const published = body.published ?? false;
  if (typeof published !== "boolean") details.published = ["must be true or false"];

  if (Object.keys(details).length > 0) fail("invalid", "The API key is not valid.", details);
  return {
    name,
    methods: keyMethods.filter((method) => methods.includes(method)),
    endpoints: [...new Set(endpoints.map(({ kept }) => kept as string))],
    published: published === true,
  };
}

function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}
