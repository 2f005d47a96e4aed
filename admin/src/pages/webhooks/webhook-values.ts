// A webhook as its form holds it. Values of its headers are never read back: what is not typed again stays as it is stored. Pure.

import { isJsonObject, type JsonObject } from "@contract/json.ts";
import type { Webhook } from "@contract/webhooks.ts";

/** In kept changes it stands for the collection. */
export const keptWebhooks = "-webhooks";

export const editedNames = ["name", "url", "events", "collections", "headers", "active"] as const;
export type EditedName = (typeof editedNames)[number];

export type HeaderRow = {
  name: string;
  /** As typed; empty: the stored one stays. */
  value: string;
  /** The server has a value for it. */
  isStored: boolean;
};

const blank = { name: "", url: "", events: ["*"], collections: [], active: true };

export function editedPart(hook: Webhook | undefined): JsonObject {
  const { name, url, events, collections, active } = hook ?? blank;
  const headers = (hook?.headers ?? []).map((one): HeaderRow => ({ name: one.name, value: "", isStored: true }));
  return { name, url, events, collections, headers, active };
}

export function storedOf({ hook, etag }: { hook: Webhook; etag: string }): { values: JsonObject; etag: string } {
  return { values: editedPart(hook), etag };
}

export function headersIn({ headers }: JsonObject): HeaderRow[] {
  return (Array.isArray(headers) ? headers : []).filter(isJsonObject) as HeaderRow[];
}

/** Without a name, or new and without a value. */
export function isUnfinished({ name, value, isStored }: HeaderRow): boolean {
  return name.trim() === "" || (value === "" && !isStored);
}

/** What is sent of the form. */
export function bodyOf(values: JsonObject): JsonObject {
  if (!Object.hasOwn(values, "headers")) return values;
  const headers = headersIn(values).map(({ name, value }) => ({ name: name.trim(), ...(value !== "" && { value }) }));
  return { ...values, headers };
}
