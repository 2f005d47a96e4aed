// Saving an object: POST for a new one, PATCH of what changed for others. Nothing typed is lost, whatever the server says.

import type { AdminCollection } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { whenIdle } from "#elements/busy.ts";
import type { Refusal } from "#form/ErrorSummary.tsx";
import { joinStored, type TakenPlace } from "#form/join-stored.ts";
import { type Conflict, merge } from "#form/merge.ts";
import { toast } from "#ui/toast.ts";
import { formWords } from "#words/form.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import type { EditedObject } from "./edited-object.ts";
import { findLost } from "./find-lost.ts";
import { fetchObject, type StoredObject } from "./open-object.ts";
import { refusalText } from "./refusal-text.ts";

interface Saving {
  edited: EditedObject;
  collection: AdminCollection;
  /** undefined: it is new. */
  id: string | undefined;
  /** What is wrong before the server is asked, by path. */
  check: () => ReadonlyMap<string, string>;
  labelOf: (property: string) => string;
  /** Whether the property is one that people change. */
  isTheirs: (property: string) => boolean;
  /** Goes to a property. */
  onShow: (property: string) => void;
  /** A new object was stored. */
  onCreated: (id: string) => void;
  /** After every save. */
  onSaved: (id: string) => void;
}

export interface PendingConflict {
  conflicts: Conflict[];
  theirs: StoredObject;
}

const noRefusal: Refusal = { attempt: 0, text: "", requestId: "" };
/** Others may save again and again while we try. */
const maxTries = 5;

export function useObjectSave(saving: Saving) {
  const words = useWords(formWords);
  const queries = useQueryClient();
  const latest = useRef(saving);
  latest.current = saving;
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>(noRefusal);
  const [conflict, setConflict] = useState<PendingConflict>();
  const running = useRef<Promise<boolean>>(undefined);
  /** When a new object was first sent without an answer. */
  const lost = useRef<number>(undefined);
  const [etag] = useState(() => ({ now: saving.edited.etag, ancestor: saving.edited.ancestor }));

  const refuse = useCallback((text: string, requestId = "") => {
    setRefusal(({ attempt }) => ({ attempt: attempt + 1, text, requestId }));
    return false;
  }, []);

  const send = useCallback(
    async (sent: JsonObject): Promise<boolean> => {
      const { edited, collection, id, onCreated, onSaved, onShow, labelOf, isTheirs } = latest.current;
      const { store } = edited;
      let merged: string[] = [];
      const started = Date.now();
      const lostObject = (body: JsonObject) =>
        lost.current === undefined ? undefined : findLost(collection.id, body, lost.current);
      for (let tries = 1; ; tries++) {
        try {
          const path = { collection: collection.id, ...(id !== undefined && { id }) };
          const whole = { ...edited.fresh, ...sent };
          const answer =
            id === undefined
              ? ((await lostObject(whole)) ?? (await ask<JsonObject>(routes.createObject, { path, body: whole })))
              : await ask<JsonObject>(routes.patchObject, { path, body: sent, ifMatch: etag.now });
          store.rebase(answer.data, sent);
          etag.now = answer.etag;
          etag.ancestor = undefined;
          const theirs = merged.filter(isTheirs);
          const [first] = theirs;
          if (first === undefined) toast.good(words.saved);
          else
            toast.good(words.savedTogether(formatList(theirs.map(labelOf))), {
              action: { label: words.show, onPress: () => onShow(first) },
            });
          void queries.invalidateQueries({ queryKey: ["objects", collection.id] });
          void queries.invalidateQueries({ queryKey: ["start"] });
          void queries.invalidateQueries({ queryKey: ["recent"] });
          // The address of the object may follow its title.
          if (collection.hasUrl) void queries.invalidateQueries({ queryKey: ["form", collection.id] });
          if (id === undefined) onCreated(String(answer.data.id));
          onSaved(String(answer.data.id));
          return true;
        } catch (error) {
          if (id === undefined && error instanceof ApiError && error.isUnreachable) lost.current ??= started;
          const isConflict = error instanceof ApiError && error.status === 412 && id !== undefined;
          if (!isConflict || tries === maxTries) throw error;
          const theirs = await fetchObject(collection.id, id);
          const found = merge(etag.ancestor ?? store.base(), theirs.data, store.changes());
          if (found.conflicts.length > 0) {
            setConflict({ conflicts: found.conflicts, theirs });
            return false;
          }
          merged = [...new Set([...merged, ...found.theirs])];
          store.rebase(theirs.data);
          etag.now = theirs.etag;
          etag.ancestor = undefined;
          // The answer to an earlier try was lost: all of it is stored.
          if (Object.keys(store.changes()).length > 0) continue;
          toast.good(words.saved);
          onSaved(id);
          return true;
        }
      }
    },
    [etag, queries, words],
  );

  const trySave = useCallback(async (): Promise<boolean> => {
    await whenIdle();
    const { edited, id, check } = latest.current;
    const { store } = edited;
    const problems = check();
    store.setErrors(problems);
    if (problems.size > 0) return refuse("");
    const sent = store.changes();
    if (id !== undefined && Object.keys(sent).length === 0) {
      setRefusal(noRefusal);
      toast.good(words.nothingToSave);
      return true;
    }
    setIsSaving(true);
    try {
      const isSaved = await send(sent);
      if (isSaved) setRefusal(noRefusal);
      return isSaved;
    } catch (error) {
      const details = error instanceof ApiError ? Object.entries(error.details) : [];
      store.setErrors(new Map(details.map(([path, texts]) => [path, texts.join(". ")])));
      const { text, requestId } = refusalText(error, words, id === undefined);
      return refuse(details.length > 0 ? "" : text, details.length > 0 ? "" : requestId);
    } finally {
      setIsSaving(false);
    }
  }, [refuse, send, words]);

  /** One at a time: a second press waits for the first and does not send again. */
  const save = useCallback((): Promise<boolean> => {
    running.current ??= trySave().finally(() => {
      running.current = undefined;
    });
    return running.current;
  }, [trySave]);

  /**
   * Takes over what somebody else has saved, and keeps what was typed; `said` is shown in place of what was taken over. Of properties that both have changed the next save asks:
   * it still begins from the object as it was before.
   */
  const catchUp = useCallback(
    async (said?: string): Promise<void> => {
      const { edited, collection, id, labelOf, isTheirs } = latest.current;
      if (id === undefined) return;
      const { store } = edited;
      try {
        const theirs = await fetchObject(collection.id, id);
        const { theirs: changed, conflicts } = merge(etag.ancestor ?? store.base(), theirs.data, store.changes());
        store.rebase(theirs.data);
        if (conflicts.length === 0) Object.assign(etag, { now: theirs.etag, ancestor: undefined });
        else {
          const before = conflicts.map(({ property, before: value }) => [property, value ?? null]);
          etag.ancestor = { ...theirs.data, ...Object.fromEntries(before) };
        }
        const both = formatList(conflicts.map(({ property }) => labelOf(property)));
        const taken = said ?? words.takenOver(formatList(changed.filter(isTheirs).map(labelOf)));
        toast.good(both === "" ? taken : words.takenOverBut(both));
      } catch (error) {
        toast.bad(refusalText(error, words, false).text);
        throw error;
      }
    },
    [etag, words],
  );

  /** The values of `theirs` are taken, the others stay ours; an edited text takes the place of both. */
  const resolveConflict = useCallback(
    async (theirs: ReadonlySet<string>, edited: ReadonlyMap<string, string>): Promise<boolean> => {
      if (!conflict) return false;
      const { store } = latest.current.edited;
      store.rebase(conflict.theirs.data);
      etag.now = conflict.theirs.etag;
      etag.ancestor = undefined;
      for (const name of theirs) store.undo(name);
      for (const [name, text] of edited) store.set(name, text);
      setConflict(undefined);
      return save();
    },
    [conflict, etag, save],
  );

  /** Somebody else's object stays as it is. */
  const takeTheirs = useCallback(() => {
    if (!conflict) return;
    const { store } = latest.current.edited;
    store.rebase(conflict.theirs.data);
    etag.now = conflict.theirs.etag;
    etag.ancestor = undefined;
    store.discard();
    setConflict(undefined);
    setRefusal(noRefusal);
  }, [conflict, etag]);

  /**
   * The server has stored a property by itself. What others changed meanwhile is left to the next save, where it matters.
   * `place` is where: the value there is joined with what was changed in the form.
   */
  const takeOver = useCallback(
    (property: string, stored: StoredObject, place?: TakenPlace) => {
      const { store } = latest.current.edited;
      const joined = place && joinStored(store, stored.data, place);
      const { [property]: _, ...others } = store.changes();
      const isWhole = merge(etag.ancestor ?? store.base(), stored.data, others).conflicts.length === 0;
      store.rebase(isWhole ? stored.data : { ...store.base(), [property]: stored.data[property] ?? null });
      if (isWhole) Object.assign(etag, { now: stored.etag, ancestor: undefined });
      joined?.();
    },
    [etag],
  );

  return {
    save,
    takeOver,
    isSaving,
    refusal,
    clearRefusal: useCallback(() => setRefusal(noRefusal), []),
    conflict,
    cancelConflict: useCallback(() => setConflict(undefined), []),
    resolveConflict,
    takeTheirs,
    catchUp,
    /** What the changes began from. */
    baseNow: useCallback(() => etag.ancestor ?? latest.current.edited.store.base(), [etag]),
    etagNow: useCallback(() => etag.now, [etag]),
  };
}
