// Compares two definitions item by item, by content and without times, to show what a push or a pull would do. Pure.

import { createHash } from "node:crypto";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { Comparison, ItemRef, Side } from "#contract/transfer.ts";
import type { Definition } from "./definition.ts";

/** One item of one side. */
export interface Fingerprint extends ItemRef {
  hash: string;
  /** When it was last changed there. */
  updated: string | undefined;
  /** Of settings. What does not name the history leaves that of the receiver as it is, and is compared without it. */
  settings?: { namesHistory: boolean; withoutHistory: string };
}

const times = ["created", "modified", "updated"];
/** Not content: times, and counters of a collection. Elsewhere these names are ordinary properties. */
const passedOver: Readonly<Record<ItemRef["kind"], ReadonlySet<string>>> = {
  schema: new Set(times),
  template: new Set(times),
  object: new Set(times),
  redirect: new Set(times),
  collection: new Set([...times, "lastUpdated", "count", "totalObjects", "index"]),
};

/** The same for the same content, whatever the order of its keys. */
export function contentHash(kind: ItemRef["kind"], content: JsonObject): string {
  const compared = Object.fromEntries(
    Object.entries(content).filter(([key]) => !passedOver[kind].has(key)),
  ) as JsonObject;
  return createHash("sha256").update(canonical(compared)).digest("hex");
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Json)}`);
  return `{${parts.join(",")}}`;
}

export function fingerprints({ schemas, collections, templates, objects }: Definition): Fingerprint[] {
  return [
    ...schemas.map((schema) => identified("schema", schema)),
    ...[...collections.reserved, ...collections.custom].map((settings) =>
      settingsPrint(typeof settings === "string" ? { id: settings } : settings),
    ),
    ...templates.map(({ id, template, updated }): Fingerprint => {
      return { kind: "template", id, hash: contentHash("template", { template }), updated };
    }),
    ...objects.map(({ collection, id, data }): Fingerprint => {
      const updated = textOf(data.modified) ?? textOf(data.updated);
      return { kind: "object", collection, id, hash: contentHash("object", data), updated };
    }),
  ];
}

function identified(kind: "schema" | "collection", content: JsonObject & { id: string }): Fingerprint {
  return { kind, id: content.id, hash: contentHash(kind, content), updated: textOf(content.updated) };
}

function settingsPrint(content: JsonObject & { id: string }): Fingerprint {
  const { history, ...others } = content;
  const settings = {
    namesHistory: history !== undefined && history !== null,
    withoutHistory: contentHash("collection", others as JsonObject),
  };
  return { ...identified("collection", content), settings };
}

/** Without a receiver only what would be sent is listed. */
export function compare(
  direction: "push" | "pull",
  sent: readonly Fingerprint[],
  received: readonly Fingerprint[] | undefined,
): Comparison[] {
  if (!received) return sent.map(refOf);
  const there = new Map(received.map((item) => [keyOf(item), item]));
  const found = sent.map((item) => comparePair(direction, item, there.get(keyOf(item))));
  const known = new Set(sent.map(keyOf));
  const alone = received.filter((item) => !known.has(keyOf(item)));
  return [...found, ...alone.map((item): Comparison => ({ ...refOf(item), status: "receiver-only" }))];
}

function comparePair(direction: "push" | "pull", sent: Fingerprint, there: Fingerprint | undefined): Comparison {
  const item = refOf(sent);
  if (!there) return { ...item, status: "new" };
  if (isSame(sent, there)) return { ...item, status: "identical" };
  const [sender, receiver]: [Side, Side] = direction === "push" ? ["local", "remote"] : ["remote", "local"];
  const newer = newerOf(sent.updated, there.updated);
  if (!newer) return { ...item, status: "differs" };
  const side = newer === "sent" ? sender : receiver;
  return {
    ...item,
    status: "differs",
    newer: side,
    ...(newer === "there" && { warning: `the older ${sender} copy would overwrite the newer ${receiver} one` }),
    ...((sent.updated === undefined || there.updated === undefined) && { isLikely: true }),
    ...(sent.updated !== undefined && { [sender]: sent.updated }),
    ...(there.updated !== undefined && { [receiver]: there.updated }),
  };
}

function isSame(sent: Fingerprint, there: Fingerprint): boolean {
  if (sent.hash === there.hash) return true;
  const { settings } = sent;
  return settings?.namesHistory === false && settings.withoutHistory === there.settings?.withoutHistory;
}

/** A side that has a time is likely newer than one that has none. */
function newerOf(sent: string | undefined, there: string | undefined): "sent" | "there" | undefined {
  const [one, other] = [timeOf(sent), timeOf(there)];
  if (one === other) return undefined;
  return one > other ? "sent" : "there";
}

function timeOf(text: string | undefined): number {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function keyOf({ kind, collection, id }: ItemRef): string {
  return `${kind}/${collection ?? ""}/${id}`;
}

function refOf({ kind, collection, id }: ItemRef): ItemRef {
  return { kind, ...(collection !== undefined && { collection }), id };
}
