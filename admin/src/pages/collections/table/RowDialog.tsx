// What is asked before a row is deleted or copied. Loaded when it is asked.

import { useState } from "react";
import { PointsHere } from "#form/references/PointsHere.tsx";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./table.module.css";

interface Props {
  dialog: "duplicate" | "delete";
  /** Of the object. */
  name: string;
  collection: string;
  /** It can be restored. */
  hasTrash: boolean;
  id: string;
  onDelete: () => void;
  onDuplicate: (newId: string) => Promise<void>;
  onClose: () => void;
}

export function RowDialog({ dialog, name, collection, hasTrash, id, onDelete, onDuplicate, onClose }: Props) {
  const words = useWords(gridWords);
  if (dialog === "delete")
    return (
      <ConfirmDialog
        title={words.deleteOneTitle(name)}
        text={hasTrash ? words.deleteOneToTrash : words.deleteOneText}
        confirmLabel={words.delete}
        tone="danger"
        onConfirm={onDelete}
        onCancel={onClose}
      >
        <PointsHere collection={collection} id={id} />
      </ConfirmDialog>
    );
  return (
    <DuplicateDialog title={words.duplicateTitle(name)} id={`${id}-copy`} onDuplicate={onDuplicate} onClose={onClose} />
  );
}

interface DuplicateProps {
  title: string;
  /** To begin with. */
  id: string;
  onDuplicate: (id: string) => Promise<void>;
  onClose: () => void;
}

function DuplicateDialog({ title, id: first, onDuplicate, onClose }: DuplicateProps) {
  const words = useWords(gridWords);
  const common = useWords(commonWords);
  const [id, setId] = useState(first);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async () => {
    if (id.trim() === "") return setError(words.newIdNeeded);
    setIsPending(true);
    try {
      await onDuplicate(id.trim());
    } catch (problem) {
      setIsPending(false);
      setError(errorText(problem, common).text);
    }
  };
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {words.duplicate}
          </Button>
        </>
      }
    >
      <div className={css.fields}>
        <TextInput label={words.newId} value={id} onChange={setId} isMono isRequired autoFocus autoComplete="off" />
        {error && (
          <div role="alert">
            <Notice tone="bad">{error}</Notice>
          </div>
        )}
      </div>
    </Dialog>
  );
}
