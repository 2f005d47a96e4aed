// Saves the settings of a collection: what changed, with the tag that it began from. Changes of others are taken along; where both
// changed the same setting, a dialog asks.

import type { AdminCollection } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Refusal } from "#form/ErrorSummary.tsx";
import { type Conflict, merge } from "#form/merge.ts";
import type { FormStore } from "#form/store.ts";
import { startQuery } from "#session/start.ts";
import { errorText } from "#shell/LoadState.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { editedPart } from "./setting-fields.ts";

export interface StoredSettings {
  data: JsonObject;
  etag: string;
}

export async function fetchSettings(collection: string, signal?: AbortSignal): Promise<StoredSettings> {
  const { data, etag } = await ask<JsonObject>(routes.collectionSettings, { path: { collection }, signal });
  return { data, etag };
}

interface Saving {
  collection: AdminCollection;
  store: FormStore;
  /** The tag of what the changes began from, and that state itself where what is stored is newer by now. */
  began: { etag: string; ancestor: JsonObject | undefined };
  labelOf: (setting: string) => string;
  /** What is wrong before the server is asked, by path. */
  check: () => ReadonlyMap<string, string>;
  /** Where an error of the server belongs. */
  placeOf: (setting: string, text: string) => string;
  onSaved: () => void;
}

const noRefusal: Refusal = { attempt: 0, text: "", requestId: "" };
/** Others may save again and again while we try. */
const maxTries = 5;

export function useSettingsSave({ collection, store, began, labelOf, check, placeOf, onSaved }: Saving) {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [state] = useState(() => ({ ...began }));
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState(noRefusal);
  const [conflict, setConflict] = useState<{ conflicts: Conflict[]; theirs: StoredSettings }>();
  const running = useRef<Promise<boolean>>(undefined);
  const path = { collection: collection.id };

  const refuse = (text: string, requestId = "") => {
    setRefusal(({ attempt }) => ({ attempt: attempt + 1, text, requestId }));
    return false;
  };
  const take = (stored: StoredSettings, sent?: JsonObject) => {
    store.rebase(editedPart(stored.data), sent);
    state.etag = stored.etag;
    state.ancestor = undefined;
  };

  const send = async (): Promise<boolean> => {
    const merged = new Set<string>();
    for (let tries = 1; ; tries++) {
      const sent = store.changes();
      try {
        take(await ask<JsonObject>(routes.patchCollectionSettings, { path, body: sent, ifMatch: state.etag }), sent);
        const labels = [...merged].map(labelOf);
        toast.good(labels.length === 0 ? words.saved : words.savedTogether(formatList(labels)));
        void queries.invalidateQueries({ queryKey: startQuery.queryKey });
        void queries.invalidateQueries({ queryKey: ["form", collection.id] });
        onSaved();
        return true;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412) || tries === maxTries) throw error;
        const theirs = await fetchSettings(collection.id);
        const found = merge(state.ancestor ?? store.base(), editedPart(theirs.data), sent);
        if (found.conflicts.length > 0) {
          setConflict({ conflicts: found.conflicts, theirs });
          return false;
        }
        for (const name of found.theirs) merged.add(name);
        take(theirs);
      }
    }
  };

  const trySave = async (): Promise<boolean> => {
    const problems = check();
    store.setErrors(problems);
    if (problems.size > 0) return refuse("");
    if (Object.keys(store.changes()).length === 0) {
      setRefusal(noRefusal);
      toast.good(words.nothingToSave);
      return true;
    }
    setIsSaving(true);
    try {
      const isSaved = await send();
      if (isSaved) setRefusal(noRefusal);
      return isSaved;
    } catch (error) {
      const details = error instanceof ApiError ? Object.entries(error.details) : [];
      store.setErrors(
        new Map(details.map(([name, texts]) => [placeOf(name, texts[0] ?? ""), sentence(labelOf(name), texts)])),
      );
      const { text, requestId } = errorText(error, common);
      return details.length > 0 ? refuse("") : refuse(text, requestId);
    } finally {
      setIsSaving(false);
    }
  };

  /** One at a time. */
  const save = (): Promise<boolean> => {
    running.current ??= trySave().finally(() => {
      running.current = undefined;
    });
    return running.current;
  };

  return {
    save,
    isSaving,
    refusal,
    conflict,
    etagNow: () => state.etag,
    /** What the changes began from. */
    baseNow: () => state.ancestor ?? store.base(),
    clearRefusal: () => setRefusal(noRefusal),
    cancelConflict: () => setConflict(undefined),
    takeTheirs: () => {
      if (conflict) take(conflict.theirs);
      store.discard();
      setConflict(undefined);
    },
    resolveConflict: async (theirs: ReadonlySet<string>, written: ReadonlyMap<string, string>) => {
      if (!conflict) return;
      take(conflict.theirs);
      for (const name of theirs) store.undo(name);
      for (const [name, text] of written) store.set(name, text);
      setConflict(undefined);
      await save();
    },
  };
}

/** "must be text" goes on from the label; a sentence stands alone. */
function sentence(label: string, texts: readonly string[]): string {
  return texts.map((text) => (/^[a-z]/.test(text) ? `${label}: ${text}` : text)).join(". ");
}
