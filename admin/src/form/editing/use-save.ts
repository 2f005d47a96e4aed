// Saves a form with the tag that its changes began from. Changes of others are taken along; where both changed the same part, a
// dialog asks. Nothing typed is lost, whatever the server says.

import type { JsonObject } from "@contract/json.ts";
import { useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import type { Refusal } from "#form/ErrorSummary.tsx";
import { type Conflict, type Merge, merge } from "#form/merge.ts";
import type { FormStore } from "#form/store.ts";
import type { Value } from "#form/values.ts";
import { errorText } from "#shell/LoadState.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import type { Began, Stored } from "./begin.ts";

export interface Saving {
  store: FormStore;
  /** It is not on the server yet: it is sent as it is, changed or not. */
  isNew: boolean;
  began: Began;
  labelOf: (name: string) => string;
  /** What is wrong before the server is asked, by path; a text for what belongs to no field. */
  check?: () => { problems: ReadonlyMap<string, string>; text?: string };
  /** Stores the changes. Undefined: somebody was asked and has called it off. */
  send: (sent: JsonObject, etag: string) => Promise<Stored | undefined>;
  /** As it is stored now. */
  read: () => Promise<Stored>;
  /** How two people's changes are joined, where parts of them can be. */
  join?: (before: JsonObject, theirs: JsonObject, yours: JsonObject) => Joined;
  /** Where an error of the server belongs, and how it reads there. */
  placeError?: (name: string, texts: readonly string[]) => [path: string, text: string];
  /** Called after each save. True: it has said so itself. */
  onSaved?: (stored: Stored) => boolean | undefined;
}

export interface Joined extends Merge {
  joined?: { [name: string]: Value };
}

interface Pending {
  conflicts: Conflict[];
  theirs: Stored;
  joined: { [name: string]: Value };
}

const noRefusal: Refusal = { attempt: 0, text: "", requestId: "" };
/** Others may save again and again while we try. */
const maxTries = 5;

export function useSave(saving: Saving) {
  const { store, isNew, began } = saving;
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const latest = useRef(saving);
  latest.current = saving;
  const [state] = useState(() => ({ etag: began.etag, ancestor: began.ancestor }));
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState(noRefusal);
  const [pending, setPending] = useState<Pending>();
  const running = useRef<Promise<boolean>>(undefined);

  const refuse = (text: string, requestId = "") => {
    setRefusal(({ attempt }) => ({ attempt: attempt + 1, text, requestId }));
    return false;
  };
  const baseNow = () => state.ancestor ?? store.base();
  const take = ({ values, etag }: Stored, sent?: JsonObject) => {
    store.rebase(values, sent);
    Object.assign(state, { etag, ancestor: undefined });
  };
  const done = (stored: Stored, merged: ReadonlySet<string>) => {
    const labels = [...merged].map(latest.current.labelOf);
    const isSaid = latest.current.onSaved?.(stored) === true;
    if (!isSaid) toast.good(labels.length === 0 ? words.saved : words.savedTogether(formatList(labels)));
    return true;
  };

  const send = async (): Promise<boolean> => {
    const merged = new Set<string>();
    for (let tries = 1; ; tries++) {
      const sent = store.changes();
      try {
        const stored = await latest.current.send(sent, state.etag);
        if (!stored) return false;
        take(stored, sent);
        return done(stored, merged);
      } catch (error) {
        const isChanged = !isNew && error instanceof ApiError && error.status === 412;
        if (!isChanged || tries === maxTries) throw error;
        const theirs = await latest.current.read();
        const { join = merge } = latest.current;
        const found: Joined = join(baseNow(), theirs.values, sent);
        const joined = found.joined ?? {};
        if (found.conflicts.length > 0) {
          setPending({ conflicts: found.conflicts, theirs, joined });
          return false;
        }
        for (const name of found.theirs) merged.add(name);
        take(theirs);
        store.lay(joined);
        // The answer to an earlier try was lost, or both have written the same.
        if (store.summary().dirty.length === 0) return done(theirs, merged);
      }
    }
  };

  const trySave = async (): Promise<boolean> => {
    const { problems, text: problem = "" } = latest.current.check?.() ?? { problems: new Map<string, string>() };
    store.setErrors(problems);
    if (problems.size > 0 || problem !== "") return refuse(problem);
    if (!isNew && store.summary().dirty.length === 0) {
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
      const { placeError = standing } = latest.current;
      store.setErrors(new Map(details.map(([name, texts]) => placeError(name, texts))));
      const { text, requestId } = errorText(error, common);
      return details.length > 0 ? refuse("") : refuse(text, requestId);
    } finally {
      setIsSaving(false);
    }
  };

  /** One at a time: a second press waits for the first and does not send again. */
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
    conflicts: pending?.conflicts,
    etagNow: () => state.etag,
    /** What the changes began from. */
    baseNow,
    /** It is stored like this now, by another way than `save`. */
    take,
    clearRefusal: () => setRefusal(noRefusal),
    cancelConflict: () => setPending(undefined),
    takeTheirs: () => {
      if (pending) take(pending.theirs);
      store.discard();
      setPending(undefined);
      setRefusal(noRefusal);
    },
    /** The values of `theirs` are taken, the others stay ours; an edited text takes the place of both. */
    resolveConflict: async (theirs: ReadonlySet<string>, written: ReadonlyMap<string, string>) => {
      if (!pending) return;
      take(pending.theirs);
      store.lay(pending.joined);
      for (const name of theirs) store.undo(name);
      for (const [name, text] of written) store.set(name, text);
      setPending(undefined);
      await save();
    },
  };
}

function standing(name: string, texts: readonly string[]): [string, string] {
  return [name, texts.join(". ")];
}
