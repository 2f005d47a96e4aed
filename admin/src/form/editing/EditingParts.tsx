// What every form shows around its fields: the state line, Save, what was brought back, what is wrong, and its questions.

import { Save } from "lucide-react";
import { lazy, Suspense } from "react";
import type { FieldProperty } from "#fields/property.ts";
import { ErrorSummary, type SummaryLink } from "#form/ErrorSummary.tsx";
import { useSummary } from "#form/form-context.ts";
import { LeaveGuard } from "#form/LeaveGuard.tsx";
import { SaveState } from "#form/SaveState.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { formWords } from "#words/form.ts";
import { formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import type { Edited } from "./use-editing.ts";

const ConflictDialog = lazy(() =>
  import("#form/conflict/ConflictDialog.tsx").then((part) => ({ default: part.ConflictDialog })),
);

export function EditingState({ edited }: { edited: Edited }) {
  const { store, isNew, isReadOnly, isSaving, refusal, isUnkept } = edited;
  if (isReadOnly) return null;
  return <SaveState store={store} isNew={isNew} isSaving={isSaving} refusal={refusal} isUnkept={isUnkept} />;
}

export function SaveButton({ edited }: { edited: Edited }) {
  const words = useWords(formWords);
  if (edited.isReadOnly) return null;
  return (
    <Button variant="primary" icon={Save} isPending={edited.isSaving} onPress={() => void edited.save()}>
      {words.save}
    </Button>
  );
}

interface NoticesProps {
  edited: Edited;
  labelOf: (path: string) => string;
  onGo: (path: string) => void;
}

/** Changes that were brought back, and what kept the last try from being saved. */
export function EditingNotices({ edited, labelOf, onGo }: NoticesProps) {
  const words = useWords(formWords);
  const { store, kept, discard, refusal } = edited;
  const { errors } = useSummary(store);
  const links = [...errors].map(([path, text]): SummaryLink => ({ path, label: labelOf(path), text }));
  const isRefused = refusal.attempt > 0 && (links.length > 0 || refusal.text !== "");
  return (
    <>
      {kept && (
        <div role="status" aria-label={words.broughtBack(formatDateTime(kept.at))}>
          <Notice tone="info" action={<Button onPress={discard}>{words.discardChanges}</Button>}>
            {words.broughtBack(formatDateTime(kept.at))}
          </Notice>
        </div>
      )}
      {isRefused && <ErrorSummary refusal={refusal} links={links} onGo={onGo} />}
    </>
  );
}

interface QuestionsProps {
  edited: Edited;
  /** How the dialog of conflicts shows and edits a value. */
  propertyOf: (name: string) => FieldProperty;
  /** How many changes are not saved, where that is not what the store counts. */
  unsaved?: () => number;
}

/** Asked before the page is left, and where somebody else has changed the same. */
export function EditingQuestions({ edited, propertyOf, unsaved }: QuestionsProps) {
  const words = useWords(formWords);
  const { store, isReadOnly, save, keepNow, conflicts, isSaving } = edited;
  if (isReadOnly) return null;
  return (
    <>
      <LeaveGuard
        unsaved={unsaved ?? (() => store.summary().dirty.length)}
        text={words.leaveText}
        onSave={save}
        onLeave={keepNow}
      />
      {conflicts && (
        <Suspense fallback={null}>
          <ConflictDialog
            conflicts={conflicts}
            propertyOf={propertyOf}
            isSaving={isSaving}
            onSave={(theirs, written) => void edited.resolveConflict(theirs, written)}
            onDiscard={edited.takeTheirs}
            onCancel={edited.cancelConflict}
          />
        </Suspense>
      )}
    </>
  );
}
