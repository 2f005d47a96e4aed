// Keeps the changes of an open form on this device, and finds those that no open form has.

import type { Json, JsonObject } from "@contract/json.ts";
import { useCallback, useEffect, useRef, useState } from "react";
import { forget, type KeptEntry, keep, listKept, type Place } from "./kept.ts";
import { openForm, openForms } from "./owners.ts";
import type { FormStore } from "./store.ts";

const keepDelay = 500;

/** The newest changes to this object that no open form has. A browser without storage has none. */
export async function findKept(place: Place): Promise<KeptEntry | undefined> {
  try {
    const entries = listKept(localStorage, Date.now(), place);
    if (entries.length === 0) return undefined;
    const open = await openForms();
    return entries.find(({ form }) => !open.has(form));
  } catch {
    return undefined;
  }
}

interface Keeping {
  store: FormStore;
  /** Name of this form. */
  form: string;
  place: Place;
  etag: () => string;
  /** The object as the changes began from it. */
  base: () => JsonObject;
  title: () => string;
  /** What of a property may be kept; undefined: nothing. */
  keptPart: (property: string, value: Json) => Json | undefined;
}

/** Answers whether the storage refused them, and a function that keeps them now. */
export function useKept(keeping: Keeping): { isUnkept: boolean; keepNow: () => void } {
  const [isUnkept, setIsUnkept] = useState(false);
  const latest = useRef(keeping);
  latest.current = keeping;
  const { store, form, place } = keeping;

  const keepNow = useCallback(() => {
    const { keptPart, etag, base: begun, title } = latest.current;
    const { place: where } = latest.current;
    const changes: JsonObject = {};
    for (const [name, value] of Object.entries(store.changesWithDrafts())) {
      const part = keptPart(name, value);
      if (part !== undefined) changes[name] = part;
    }
    try {
      if (Object.keys(changes).length === 0) {
        forget(localStorage, where, form);
        setIsUnkept(false);
        return;
      }
      const base = Object.fromEntries(Object.keys(changes).map((name) => [name, begun()[name] ?? null]));
      const kept = { at: new Date().toISOString(), etag: etag(), title: title(), changes, base };
      setIsUnkept(!keep(localStorage, where, form, kept));
    } catch {
      setIsUnkept(true);
    }
  }, [store, form]);

  useEffect(() => openForm(form), [form]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      keepNow();
    };
    const end = store.subscribeValues(() => {
      clearTimeout(timer);
      timer = setTimeout(flush, keepDelay);
    });
    const onHide = () => document.visibilityState === "hidden" && flush();
    document.addEventListener("visibilitychange", onHide);
    addEventListener("pagehide", flush);
    return () => {
      end();
      flush();
      document.removeEventListener("visibilitychange", onHide);
      removeEventListener("pagehide", flush);
    };
  }, [store, keepNow]);

  // After its first save a new object has another place.
  const { user, collection, id } = place;
  useEffect(() => {
    return () => {
      const now = latest.current.place;
      if (now.id === id) return;
      try {
        forget(localStorage, { user, collection, id }, form);
      } catch {
        // A closed storage holds nothing.
      }
    };
  }, [user, collection, id, form]);
  return { isUnkept, keepNow };
}
