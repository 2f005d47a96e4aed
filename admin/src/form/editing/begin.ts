// What a form begins with: what is stored, with the changes that were kept on this device laid over it. Pure.

import type { JsonObject } from "@contract/json.ts";
import type { KeptEntry } from "#form/kept.ts";
import { type Check, createFormStore, type FormStore } from "#form/store.ts";

/** Something on the server, as its form holds it. */
export interface Stored {
  values: JsonObject;
  etag: string;
}

export interface Began {
  /** Tag of what the changes began from; empty for something new. */
  etag: string;
  /** What they began from, where that is older than what is stored. */
  ancestor: JsonObject | undefined;
}

export interface Begun {
  store: FormStore;
  began: Began;
}

export function beganFrom({ values, etag }: Stored, kept: KeptEntry | undefined): Began {
  if (!kept || kept.etag === etag) return { etag, ancestor: undefined };
  return { etag: kept.etag, ancestor: { ...values, ...kept.base } };
}

export function beginEditing(stored: Stored, kept: KeptEntry | undefined, check?: Check): Begun {
  const store = createFormStore(stored.values, check);
  if (kept) store.lay(kept.changes);
  return { store, began: beganFrom(stored, kept) };
}
