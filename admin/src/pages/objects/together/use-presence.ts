// Who else has the object open, and whether somebody has saved it since. Asked every 10 seconds while the page is seen.

import type { PresenceAnswer } from "@contract/admin.ts";
import { useEffect, useRef, useState } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useSummary } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";

const every = 10_000;

interface Options {
  collection: string;
  /** undefined: it is new, and nobody else can have it open. */
  id: string | undefined;
  store: FormStore;
  etag: () => string;
}

export interface Presence {
  others: PresenceAnswer["others"];
  /** The object as somebody else has saved it; undefined while it is the one that the form began from. */
  newer: { etag: string; modified: string } | undefined;
}

const alone: Presence = { others: [], newer: undefined };

export function usePresence({ collection, id, store, etag }: Options): Presence {
  const [presence, setPresence] = useState(alone);
  const isEditing = useSummary(store).dirty.length > 0;
  const latest = useRef({ isEditing, etag });
  latest.current = { isEditing, etag };
  const askNow = useRef<() => void>(undefined);

  useEffect(() => {
    if (id === undefined) return undefined;
    const path = { collection, id };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const tell = async () => {
      clearTimeout(timer);
      if (isOver || document.visibilityState === "hidden") return;
      const before = latest.current.etag();
      try {
        const body = { editing: latest.current.isEditing };
        // The end of a session is noticed by what somebody does, not by this.
        const {
          others,
          etag: now,
          modified,
        } = await askData<PresenceAnswer>(routes.presence, { path, body, takes401: true });
        const isOlder = before !== latest.current.etag();
        // An answer from before a save of one's own says nothing about others.
        if (!isOver) setPresence((known) => ({ others, newer: isOlder ? known.newer : { etag: now, modified } }));
      } catch {
        // Who else is here is not worth a message; the next time may tell.
      }
      if (!isOver) timer = setTimeout(() => void tell(), every);
    };
    const leave = () => void ask(routes.endPresence, { path, takes401: true, isLast: true }).catch(() => undefined);
    const onVisible = () => document.visibilityState === "visible" && void tell();
    askNow.current = () => void tell();
    void tell();
    document.addEventListener("visibilitychange", onVisible);
    addEventListener("pagehide", leave);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
      removeEventListener("pagehide", leave);
      leave();
      setPresence(alone);
    };
  }, [collection, id]);

  // Others see at once that somebody begins to edit.
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current === isEditing) return;
    wasEditing.current = isEditing;
    askNow.current?.();
  }, [isEditing]);

  const { newer } = presence;
  return newer?.etag === etag() ? { ...presence, newer: undefined } : presence;
}
