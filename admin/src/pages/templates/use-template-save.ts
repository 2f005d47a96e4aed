// Saves the text of a template with the tag that it began from. Where somebody else has saved another text, a dialog asks.

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import type { Refusal } from "#form/ErrorSummary.tsx";
import { type Conflict, merge } from "#form/merge.ts";
import type { FormStore } from "#form/store.ts";
import { errorText } from "#shell/LoadState.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { fetchTemplate, putTemplate, type StoredTemplate } from "./template-calls.ts";

interface Saving {
  id: string;
  store: FormStore;
  /** The tag of what the changes began from, and that text itself where what is stored is newer by now. */
  began: { etag: string; ancestor: string | undefined };
}

const noRefusal: Refusal = { attempt: 0, text: "", requestId: "" };

export function useTemplateSave({ id, store, began }: Saving) {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [state] = useState(() => ({ ...began }));
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState(noRefusal);
  const [conflict, setConflict] = useState<{ conflicts: Conflict[]; theirs: StoredTemplate }>();
  const running = useRef<Promise<boolean>>(undefined);

  const take = ({ text, etag }: StoredTemplate, sent?: string) => {
    store.rebase({ template: text }, sent === undefined ? undefined : { template: sent });
    Object.assign(state, { etag, ancestor: undefined });
  };
  const baseNow = () => ({ template: state.ancestor ?? store.base().template ?? "" });

  const done = () => {
    toast.good(words.saved);
    setRefusal(noRefusal);
    void queries.invalidateQueries({ queryKey: ["templates"] });
    return true;
  };
  const send = async (): Promise<boolean> => {
    const sent = String(store.values().template ?? "");
    try {
      take(await putTemplate(id, sent, state.etag), sent);
      return done();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      const theirs = await fetchTemplate(id);
      const { conflicts } = merge(baseNow(), { template: theirs.text }, { template: sent });
      if (conflicts.length > 0) {
        setConflict({ conflicts, theirs });
        return false;
      }
      // The same text: the answer to an earlier try was lost, or both have written it.
      take(theirs, sent);
      if (theirs.text === sent) return done();
      take(await putTemplate(id, sent, theirs.etag), sent);
      return done();
    }
  };
  const trySave = async (): Promise<boolean> => {
    store.setErrors(new Map());
    if (store.summary().dirty.length === 0) {
      setRefusal(noRefusal);
      toast.good(words.nothingToSave);
      return true;
    }
    setIsSaving(true);
    try {
      return await send();
    } catch (error) {
      const mistakes = error instanceof ApiError ? (error.details.template ?? []) : [];
      if (mistakes.length > 0) store.setErrors(new Map([["template", mistakes.join(" ")]]));
      const { text, requestId } = mistakes.length > 0 ? noRefusal : errorText(error, common);
      setRefusal(({ attempt }) => ({ attempt: attempt + 1, text, requestId }));
      return false;
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
    baseNow,
    etagNow: () => state.etag,
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
      if (theirs.has("template")) store.undo("template");
      for (const [name, text] of written) store.set(name, text);
      setConflict(undefined);
      await save();
    },
  };
}
