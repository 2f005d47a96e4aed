// The functions of the service that a handler can call: operations on content, as plain functions over JSON. They check
// rights like any other caller, in the name of their context. Nothing here depends on the sandbox.

import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "#base/errors.ts";
import { createDeckItem, deleteDeckItem, getDeckItem, replaceDeckItem } from "#content/objects/decks.ts";
import { createObject, deleteObject, patchObject, replaceObject } from "#content/objects/objects.ts";
import { incrementProperty } from "#content/objects/properties.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { ListAnswer, ObjectPage } from "#content/query/lists.ts";
import { type Expanded, getExpanded, listExpanded, queryExpanded } from "#content/relations/expanded.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { sendMailer } from "#mailer/mailer.ts";
import { cloneObject } from "#media/clone-object.ts";
import { withFile } from "#media/serving/open-file.ts";
import { openUpload, uploadFromUrl } from "#media/uploads/uploads.ts";
import { fetchForHandler } from "./host-fetch.ts";
import { readParameters } from "./host-parameters.ts";

export type HostFunctions = Record<string, (...args: Json[]) => Promise<Json>>;

/** A handler gets a file as text, and whole. */
const maxFileSize = 2_000_000;
const maxSleepMs = 600_000;

/** Read-only, for data views. */
export function readingHost(ctx: Context): HostFunctions {
  return {
    "objects.get": async (collection, id, params) =>
      single(await getExpanded(ctx, text(collection), text(id), readParameters("get", params))),
    "objects.list": async (collection, params) =>
      page(await listExpanded(ctx, text(collection), readParameters("list", params))),
    "objects.query": async (collection, params) =>
      page(await queryExpanded(ctx, text(collection), entriesOnly("query", params))),
    "objects.search": async (collection, words, params) =>
      page(await queryExpanded(ctx, text(collection), { ...entriesOnly("search", params), search: text(words) })),
    "deck.get": async (collection, id, property, item) =>
      getDeckItem(ctx, property3(collection, id, property), text(item)),
    "crypto.hash": async (algorithm, value) => createHash(hashName(algorithm)).update(text(value)).digest("hex"),
    "crypto.hmac": async (algorithm, key, value) =>
      createHmac(hashName(algorithm), text(key)).update(text(value)).digest("hex"),
    "crypto.random": async (bytes) => randomBytes(Math.min(Math.max(Number(bytes) || 16, 1), 1_024)).toString("hex"),
    "crypto.uuid": async () => randomUUID(),
  };
}

export function automationHost(ctx: Context): HostFunctions {
  return {
    ...readingHost(ctx),
    "objects.create": async (collection, body) => parse(await createObject(ctx, text(collection), object(body))),
    "objects.replace": async (collection, id, body, write) =>
      parse(await replaceObject(ctx, text(collection), text(id), { body: object(body), ...conditionOf(write) })),
    "objects.patch": async (collection, id, body, write) =>
      parse(await patchObject(ctx, text(collection), text(id), { body: object(body), ...conditionOf(write) })),
    "objects.delete": async (collection, id, write) => {
      await deleteObject(ctx, text(collection), text(id), conditionOf(write));
      return null;
    },
    "objects.clone": async (collection, id, target) => {
      const { id: newId, collection: newCollection } = object(target ?? {});
      const to = { id: optionalText(newId), collection: optionalText(newCollection) };
      return parse(await cloneObject(ctx, text(collection), text(id), to));
    },
    "objects.increment": async (collection, id, property, amount) => {
      const by = amount ?? 1;
      if (typeof by !== "number") fail("invalid", "The amount must be a number.");
      return (await incrementProperty(ctx, property3(collection, id, property), { amount: by })).value;
    },
    "deck.create": async (collection, id, property, item) =>
      parse(await createDeckItem(ctx, property3(collection, id, property), { item: object(item) })),
    "deck.replace": async (collection, id, property, itemId, item) =>
      parse(
        await replaceDeckItem(ctx, property3(collection, id, property), { itemId: text(itemId), item: object(item) }),
      ),
    "deck.delete": async (collection, id, property, itemId) =>
      parse(await deleteDeckItem(ctx, property3(collection, id, property), { itemId: text(itemId) })),
    "files.read": async (collection, id, property, path) =>
      readFile(ctx, { ...property3(collection, id, property), path: pathOf(path) }),
    "files.save": async (collection, id, property, url, path) => {
      const { property: first, ...owner } = property3(collection, id, property);
      const upload = await openUpload(ctx, { ...owner, path: [first, ...pathOf(path)] });
      const { answer } = await uploadFromUrl(ctx, upload, { file: text(url) });
      return parse(answer);
    },
    "mail.send": async (mailer, mail) => ({ ...(await sendMailer(ctx, text(mailer), object(mail ?? {}))) }),
    sleep: async (ms) => {
      // A process that is otherwise done must not wait for a sleep.
      await sleep(Math.min(Math.max(Number(ms) || 0, 0), maxSleepMs), undefined, { ref: false });
      return null;
    },
    fetch: async (url, options) => fetchForHandler(ctx, text(url), object(options ?? {})),
  };
}

async function readFile(
  ctx: Context,
  { collection, id, property, path }: { collection: string; id: string; property: string; path: string[] },
): Promise<Json> {
  const asked = { collection, id, path: [property, ...path], pass: { address: "" } };
  return withFile(ctx, asked, async (file) => {
    try {
      if (file.size > maxFileSize) fail("too-large", `A handler can read files up to ${maxFileSize} bytes.`);
      const bytes = await file.read();
      const { name, mime, size } = file;
      return { name, mime, size, base64: bytes.toString("base64"), text: bytes.toString("utf8") };
    } finally {
      await file.close();
    }
  });
}

/** Of `{ifMatch}`: the tag that the object must have. */
function conditionOf(write: Json | undefined): Precondition {
  return { ifMatch: optionalText(object(write ?? {}).ifMatch) };
}

function parse({ text: document }: { text: string }): JsonObject {
  return JSON.parse(document) as JsonObject;
}

/** The object itself; with `expand` it is `{data, expand}`. */
function single(answer: { text: string } & Expanded): JsonObject {
  const { expand } = answer;
  return expand === undefined ? parse(answer) : { data: parse(answer), expand: JSON.parse(expand) as Json };
}

function page(answer: (ListAnswer | ObjectPage) & Expanded): JsonObject {
  const { total, nextCursor, expand } = answer;
  const text = "bytes" in answer ? answer.bytes.toString() : answer.text;
  const along = expand !== undefined && { expand: JSON.parse(expand) as Json };
  return { data: JSON.parse(text) as Json, total, ...(nextCursor && { nextCursor }), ...along };
}

/** The other formats are for people. */
function entriesOnly(reader: "query" | "search", params: Json | undefined): JsonObject {
  return { ...readParameters(reader, params), format: "json" };
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : fail("invalid", "An argument must be text.");
}

function optionalText(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : text(value);
}

function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : fail("invalid", "An argument must be an object.");
}

function property3(collection: Json | undefined, id: Json | undefined, property: Json | undefined) {
  return { collection: text(collection), id: text(id), property: text(property) };
}

function pathOf(path: Json | undefined): string[] {
  return (optionalText(path) ?? "").split("/").filter((part) => part !== "");
}

function hashName(name: Json | undefined): string {
  const known = ["sha1", "sha256", "sha384", "sha512", "md5"];
  const asked = text(name).toLowerCase().replace("-", "");
  return known.includes(asked) ? asked : fail("invalid", `The algorithm must be one of: ${known.join(", ")}.`);
}
