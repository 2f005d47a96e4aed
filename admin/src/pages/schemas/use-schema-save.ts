// Saves a schema: asks the server first what the change means, and the person where there is anything to look at. Changes of others
// are taken along; where both changed the same part, a dialog asks.

import type { Json, JsonObject } from "@contract/json.ts";
import type { SchemaPlan } from "@contract/schemas.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Refusal } from "#form/ErrorSummary.tsx";
import type { Conflict } from "#form/merge.ts";
import { errorText } from "#shell/LoadState.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import type { DraftStore } from "./draft.ts";
import { difference, joinParts, partOfProperty, partsOf, renamedParts } from "./parts.ts";
import { renameUnsaved } from "./properties/edit.ts";
import { isWorthReview } from "./review.ts";
import { fetchSchema, forgetSchemas, type StoredSchema } from "./schema-queries.ts";

interface Saving {
  store: DraftStore;
  /** Undefined: it is new. */
  id: string | undefined;
  /** Tag and parts that the changes began from. */
  began: { etag: string; ancestor: JsonObject | undefined };
  labelOf: (part: string) => string;
  /** What is wrong, by part; a text for what belongs to none. */
  check: () => { problems: Map<string, string>; text: string };
  onSaved: (id: string) => void;
}

/** A plan that waits for an answer. */
interface Review {
  plan: SchemaPlan;
  answer: (isApplied: boolean) => void;
}

const noRefusal: Refusal = { attempt: 0, text: "", requestId: "" };
const maxTries = 4;

export function useSchemaSave({ store, id, began, labelOf, check, onSaved }: Saving) {
  const { form } = store;
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState(noRefusal);
  const [review, setReview] = useState<Review>();
  const [conflict, setConflict] = useState<{ conflicts: Conflict[]; theirs: StoredSchema; joined: Joined }>();
  const [state] = useState(() => ({ ...began }));
  const running = useRef<Promise<boolean>>(undefined);

  const refuse = (text: string, requestId = "") => {
    setRefusal(({ attempt }) => ({ attempt: attempt + 1, text, requestId }));
    return false;
  };
  const take = ({ data, etag }: StoredSchema, sent?: JsonObject) => {
    form.rebase(partsOf(data), sent);
    state.etag = etag;
    state.ancestor = undefined;
  };
  const askReview = async (plan: SchemaPlan): Promise<boolean> => {
    const isApplied = await new Promise<boolean>((answer) => setReview({ plan, answer }));
    setReview(undefined);
    return isApplied;
  };

  const send = async (): Promise<boolean> => {
    const merged = new Set<string>();
    for (let tries = 1; ; tries++) {
      const sent = form.changes();
      const body = store.record();
      try {
        if (id === undefined) await ask(routes.createSchema, { body });
        else {
          const plan = await askData<SchemaPlan>(routes.planSchema, { body });
          if (isWorthReview(plan) && !(await askReview(plan))) return false;
          await ask(routes.replaceSchema, { path: { id }, body, ifMatch: state.etag });
        }
      } catch (error) {
        const isChanged = id !== undefined && error instanceof ApiError && error.status === 412;
        if (!isChanged || tries === maxTries) throw error;
        const theirs = await fetchSchema(id);
        const {
          conflicts,
          joined,
          theirs: taken,
        } = joinParts(state.ancestor ?? form.base(), partsOf(theirs.data), sent);
        if (conflicts.length > 0) {
          setConflict({ conflicts, theirs, joined });
          return false;
        }
        for (const part of taken) merged.add(part);
        take(theirs);
        form.lay(joined);
        continue;
      }
      take(await fetchSchema(body.id), sent);
      store.forgetSteps();
      const labels = [...merged].map(labelOf);
      toast.good(labels.length === 0 ? words.saved : words.savedTogether(formatList(labels)));
      forgetSchemas(queries);
      onSaved(body.id);
      return true;
    }
  };

  const trySave = async (): Promise<boolean> => {
    const { problems, text } = check();
    form.setErrors(problems);
    if (problems.size > 0 || text !== "") return refuse(text);
    if (id !== undefined && Object.keys(form.changes()).length === 0) {
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
      const properties = store.record().properties;
      const partOf = (name: string, text: string) =>
        Object.hasOwn(properties, name) && !/^Id\b/.test(text) ? partOfProperty(name) : name;
      form.setErrors(new Map(details.map(([name, texts]) => [partOf(name, texts[0] ?? ""), texts.join(". ")])));
      const { text: reason, requestId } = errorText(error, common);
      return details.length > 0 ? refuse("") : refuse(reason, requestId);
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
    review,
    conflict: conflict?.conflicts,
    etagNow: () => state.etag,
    /** What the changes began from. */
    baseNow: () => state.ancestor ?? form.base(),
    clearRefusal: () => setRefusal(noRefusal),
    cancelConflict: () => setConflict(undefined),
    /** The server has given a property another name. What is not saved follows it. */
    takeRenamed: async (from: string, to: string) => {
      const dirty = form.summary().dirty;
      const mine = partsOf(renameUnsaved(store.record(), from, to) as unknown as JsonObject);
      const stored = await fetchSchema(store.record().id);
      take(stored);
      form.lay(difference(form.values(), renamedParts(partsOf(stored.data), mine, dirty, { from, to })));
      store.forgetSteps();
      forgetSchemas(queries);
    },
    takeTheirs: () => {
      if (conflict) take(conflict.theirs);
      form.discard();
      store.forgetSteps();
      setConflict(undefined);
    },
    resolveConflict: async (theirs: ReadonlySet<string>, written: ReadonlyMap<string, string>) => {
      if (!conflict) return;
      take(conflict.theirs);
      form.lay(conflict.joined);
      for (const part of theirs) form.undo(part);
      for (const [part, text] of written) form.set(part, text);
      setConflict(undefined);
      await save();
    },
  };
}

type Joined = { [part: string]: Json };
