// Saves a group. Before that it asks where members lose or gain something, and where somebody else has changed the same part.

import type { JsonObject } from "@contract/json.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import type { Refusal } from "#form/ErrorSummary.tsx";
import { merge } from "#form/merge.ts";
import type { FormStore } from "#form/store.ts";
import { errorText } from "#shell/LoadState.tsx";
import { useRegistrationQuestion } from "#shell/useRegistrationQuestion.tsx";
import { toast } from "#ui/toast.ts";
import { accessGroupsWords } from "#words/access-groups.ts";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { type Difference, differenceOf } from "./group-rights.ts";
import { groupOf, isGroupId, valuesOf } from "./group-values.ts";
import { fetchGroup, saveGroup } from "./groups.ts";
import { useGroupNames } from "./use-group-names.ts";

interface Saving {
  store: FormStore;
  /** undefined: it is new. */
  id: string | undefined;
  members: number;
  /** A new group was stored. */
  onMade: (id: string) => void;
}

interface Question {
  answer: (isYes: boolean) => void;
}

const noRefusal: Refusal = { attempt: 0, text: "", requestId: "" };

export function useGroupSave({ store, id, members, onMade }: Saving) {
  const words = useWords(accessGroupsWords);
  const ofForms = useWords(formWords);
  const common = useWords(commonWords);
  const names = useGroupNames();
  const queries = useQueryClient();
  const registration = useRegistrationQuestion();
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState(noRefusal);
  const [review, setReview] = useState<Question & { difference: Difference }>();
  const [conflict, setConflict] = useState<Question & { parts: string[] }>();
  const running = useRef<Promise<boolean>>(undefined);

  const refuse = (text: string, requestId = "") => {
    setRefusal(({ attempt }) => ({ attempt: attempt + 1, text, requestId }));
    return false;
  };

  const mayApply = async (): Promise<boolean> => {
    const before = groupOf(store.base()).permissions;
    const difference = differenceOf(before, groupOf(store.values()).permissions, names);
    if (members === 0 || difference.lost.length + difference.gained.length === 0) return true;
    const isApplied = await new Promise<boolean>((answer) => setReview({ difference, answer }));
    setReview(undefined);
    return isApplied;
  };

  /** Takes over what somebody else has changed meanwhile; false: they changed the same part, and theirs is to stay. */
  const joinTheirs = async (group: string): Promise<boolean> => {
    const theirs = valuesOf(await fetchGroup(group));
    const { conflicts } = merge(store.base(), theirs, store.changes());
    if (conflicts.length > 0) {
      const parts = conflicts.map(({ property }) => partName(property, words));
      const isMine = await new Promise<boolean>((answer) => setConflict({ parts, answer }));
      setConflict(undefined);
      if (!isMine) return false;
    }
    store.rebase(theirs);
    return true;
  };

  const problemsOf = (values: JsonObject): Map<string, string> => {
    const wanted = String(values.id ?? "").trim();
    if (wanted === "") return new Map([["id", words.idRequired]]);
    return isGroupId(wanted) ? new Map() : new Map([["id", words.idWrong]]);
  };

  const trySave = async (): Promise<boolean> => {
    const problems = problemsOf(store.values());
    store.setErrors(problems);
    if (problems.size > 0) return refuse("");
    const isNew = id === undefined;
    if (!isNew && store.summary().dirty.length === 0) {
      setRefusal(noRefusal);
      toast.good(ofForms.nothingToSave);
      return true;
    }
    try {
      if (!isNew && !((await joinTheirs(id)) && (await mayApply()))) return false;
      setIsSaving(true);
      const sent = store.values();
      const saved = await registration.send((query) => saveGroup(groupOf(sent), isNew, query));
      store.rebase(valuesOf(saved), isNew ? sent : store.changes());
      setRefusal(noRefusal);
      toast.good(ofForms.saved);
      void queries.invalidateQueries({ queryKey: ["groups"], exact: true });
      void queries.invalidateQueries({ queryKey: ["start"] });
      if (isNew) onMade(saved.id);
      return true;
    } catch (error) {
      const details = error instanceof ApiError ? Object.entries(error.details) : [];
      const own = details.filter(([path]) => path === "id" || path === "description");
      store.setErrors(new Map(own.map(([path, texts]) => [path, texts.join(". ")])));
      const { text, requestId } = errorText(error, common);
      const others = details
        .filter((entry) => !own.includes(entry))
        .map(([path, texts]) => `${path}: ${texts.join(". ")}`);
      return own.length > 0 ? refuse("") : refuse([text, ...others].join(" "), requestId);
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
    conflict,
    question: registration.question,
    clearRefusal: () => setRefusal(noRefusal),
  };
}

function partName(part: string, words: (typeof accessGroupsWords)["en"]): string {
  const named: Record<string, string> = {
    ...words.resources,
    ...words.switches,
    description: words.description,
    utils: words.permissions,
  };
  return named[part] ?? part;
}
