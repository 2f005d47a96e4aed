// Documents about the API, which take long to make: made once for each state of the site and for callers with the same rights, and kept
// with their compressed forms. A caller that has one already gets 304.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#access/actor.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import { perInstance } from "#base/per-instance.ts";
import { tagOf } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { compress, setEncoded, type TextEncoding } from "#http/compress.ts";
import { encodingOf, namesTag, sendNothing } from "#http/send.ts";

type Storage = Context["storage"];

export interface Document {
  text: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
}

export interface DocumentMaker {
  name: string;
  /** May use nothing of the caller but the rights to read. */
  make(ctx: Context): Promise<Document>;
}

interface KeptDocument {
  bytes: Buffer;
  headers: Readonly<Record<string, string>>;
  etag: string;
  /** Each is made once, when it is asked for. */
  encoded: Map<TextEncoding, Promise<Buffer>>;
}

const capacity = 32 * 1024 * 1024;
/** Of its bytes, for all forms together. */
const formsFactor = 1.5;

/** Whatever shows in a document: collections, schemas, extensions, settings, and the endpoints of keys. */
const scopes = ["collections", "schemas", "extensions", "settings", "keys"] as const;
const versionOf = (storage: Storage) => scopes.map((scope) => storage.version(scope)).join();

const documents = createVersionedMap<Storage, KeptDocument>(
  versionOf,
  { kind: cacheKinds.lists, capacity, unit: 1 },
  ({ bytes }) => Math.ceil(bytes.length * formsFactor),
);

const underWay = perInstance((_storage: Storage) => new Map<string, Promise<KeptDocument>>());

export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, make }: DocumentMaker,
): Promise<FastifyReply> {
  const { ctx } = request;
  // Files of schemas change without a version when somebody edits them.
  const key = `document ${name} ${ctx.schemaFiles.version} ${rightsOf(ctx.actor)}`;
  const kept = await documents.get(ctx.storage, key, () => makeOnce(ctx, key, make));
  const { bytes, headers, etag } = kept;
  reply.headers(headers).header("cache-control", "private, no-cache").header("etag", etag);
  const known = request.headers["if-none-match"];
  if (known !== undefined && namesTag(known, etag)) return sendNothing(reply.code(304));
  const encoding = encodingOf(reply, bytes.length);
  if (!encoding) return reply.send(bytes);
  const encoded = await formOf(kept, encoding);
  setEncoded(reply, encoding);
  return reply.send(encoded);
}

/** However many ask for it at the same time. */
function makeOnce(ctx: Context, key: string, make: DocumentMaker["make"]): Promise<KeptDocument> {
  const flights = underWay(ctx.storage);
  const name = `${versionOf(ctx.storage)} ${key}`;
  const begin = () =>
    make(ctx)
      .then(({ text, headers }) => ({ bytes: Buffer.from(text), headers, etag: tagOf(text), encoded: new Map() }))
      .finally(() => flights.delete(name));
  const made = flights.get(name) ?? begin();
  flights.set(name, made);
  return made;
}

function formOf({ bytes, encoded }: KeptDocument, encoding: TextEncoding): Promise<Buffer> {
  const form = encoded.get(encoding) ?? compress(bytes, encoding);
  encoded.set(encoding, form);
  return form;
}

/** Callers with the same text have the same rights to read. A key stands for itself: its endpoints may have any form. */
function rightsOf(actor: Actor): string {
  if (actor.kind === "user") return JSON.stringify([actor.kind, actor.isAdmin, actor.permissions]);
  if (actor.kind === "token")
    return JSON.stringify([actor.kind, actor.isAdmin, actor.permissions, [...actor.scopes].sort()]);
  return "id" in actor ? `${actor.kind} ${actor.id}` : actor.kind;
}
