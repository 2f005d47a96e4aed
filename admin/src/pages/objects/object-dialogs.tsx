// Dialogs of an object: delete it, copy it under another id.

import type { AdminCollection } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { PointsHere } from "#form/references/PointsHere.tsx";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { sayDeleted } from "./say-deleted.ts";

interface Target {
  collection: AdminCollection;
  id: string;
  title: string;
  onCancel: () => void;
}

/** Tables and counts are asked for again. */
function useForgetLists(collection: string): () => void {
  const queries = useQueryClient();
  return () => {
    for (const queryKey of [["objects", collection], ["start"], ["recent"]])
      void queries.invalidateQueries({ queryKey });
  };
}

export function DeleteDialog({ collection, id, title, onCancel, onDeleted }: Target & { onDeleted: () => void }) {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const forgetLists = useForgetLists(collection.id);
  const deleting = useMutation({
    mutationFn: () => ask(routes.deleteObject, { path: { collection: collection.id, id } }),
    onSuccess: () => {
      forgetLists();
      sayDeleted({ collection, id, title, said: words.deleted }, common, client);
      onDeleted();
    },
  });
  return (
    <ConfirmDialog
      title={words.deleteTitle(title)}
      text={collection.history === "full" ? common.toTrash : words.deleteText}
      confirmLabel={words.deleteLabel}
      tone="danger"
      isPending={deleting.isPending}
      error={deleting.error && errorText(deleting.error, common).text}
      onConfirm={() => deleting.mutate()}
      onCancel={onCancel}
    >
      <PointsHere collection={collection.id} id={id} />
    </ConfirmDialog>
  );
}

interface CopyProps extends Target {
  text: string;
  action: string;
  /** Put into the copy; the original stays as it is stored. */
  changes: JsonObject | undefined;
  etag: string;
  onMade: (id: string) => void;
}

export function CopyDialog({ collection, id, title, text, action, changes, onCancel, onMade }: CopyProps) {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const forgetLists = useForgetLists(collection.id);
  const [newId, setNewId] = useState(`${id}-copy`);
  const [isWarned, setIsWarned] = useState(false);
  // A copy onto itself would be the object as it is.
  const isSame = newId.trim() === id;
  const copying = useMutation({
    mutationFn: () => makeCopy(collection.id, id, newId, changes),
    onSuccess: (made) => {
      forgetLists();
      onMade(made);
    },
  });
  const { error } = copying;
  const idError = error instanceof ApiError ? error.details.id?.join(". ") : undefined;
  const isIdError = idError !== undefined || (error instanceof ApiError && error.status === 400 && !changes);
  const reason = error && errorText(error, common).text;
  const others = error instanceof ApiError ? Object.values(error.details).flat().join(". ") : "";
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onCancel}
      onSubmit={() => (isSame ? setIsWarned(true) : copying.mutate())}
      footer={
        <>
          <Button onPress={onCancel}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isPending={copying.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <TextInput
        label={words.newId}
        value={newId}
        onChange={setNewId}
        error={isSame && isWarned ? words.sameId : isIdError ? (idError ?? reason) : undefined}
        autoComplete="off"
        spellCheck={false}
        isMono
        autoFocus
      />
      {error && !isIdError && (
        <div role="alert">
          <Notice tone="bad">{others || reason}</Notice>
        </div>
      )}
    </Dialog>
  );
}

/** A copy that does not take the changes is none: it is removed again. */
async function makeCopy(collection: string, id: string, copy: string, changes?: JsonObject): Promise<string> {
  const made = await askData<JsonObject>(routes.cloneObject, { path: { collection, id }, body: { id: copy } });
  const path = { collection, id: String(made.id) };
  if (changes && Object.keys(changes).length > 0) {
    try {
      await ask(routes.patchObject, { path, body: changes });
    } catch (error) {
      await ask(routes.deleteObject, { path }).catch(() => undefined);
      throw error;
    }
  }
  return path.id;
}
