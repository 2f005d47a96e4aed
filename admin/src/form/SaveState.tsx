// The state line: whether all is saved, how much is not, what keeps it from being saved.

import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import type { Refusal } from "./ErrorSummary.tsx";
import { useSummary } from "./form-context.ts";
import css from "./SaveState.module.css";
import type { FormStore } from "./store.ts";

interface Props {
  store: FormStore;
  isNew: boolean;
  isSaving: boolean;
  /** Of the last try to save. */
  refusal: Refusal;
  /** Changes could not be kept on this device. */
  isUnkept: boolean;
}

export function SaveState({ store, isNew, isSaving, refusal, isUnkept }: Props) {
  const words = useWords(formWords);
  const { dirty, errors } = useSummary(store);
  const isClean = dirty.length === 0;
  const isRefused = refusal.attempt > 0 && (refusal.text !== "" || errors.size > 0);
  const text = () => {
    if (isSaving) return words.saving;
    if (isRefused) return words.notSaved(errors.size);
    if (!isClean) return words.unsaved(dirty.length);
    return isNew ? words.notYetSaved : words.allSaved;
  };
  const look = isRefused ? css.bad : isClean ? css.calm : css.open;
  return (
    <p role="status" aria-label={words.saveState} className={look}>
      {text()}
      {isUnkept && !isClean && <span className={css.bad}> · {words.notKept}</span>}
    </p>
  );
}
