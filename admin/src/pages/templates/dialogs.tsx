// Dialogs of templates: a new one, another id, deletion. The last two say which templates include it.

import type { TemplateFile } from "@contract/templates.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { errorText, Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { templateWords } from "#words/templates.ts";
import { createTemplate, deleteTemplate, includersQuery, renameTemplate } from "./template-calls.ts";
import css from "./templates.module.css";

interface IdDialogProps {
  title: string;
  text: string;
  label: string;
  action: string;
  first: string;
  run: (id: string) => Promise<string>;
  onDone: (id: string) => void;
  onCancel: () => void;
  children?: React.ReactNode;
}

function IdDialog({ title, text, label, action, first, run, onDone, onCancel, children }: IdDialogProps) {
  const words = useWords(templateWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [id, setId] = useState(first);
  const [isEmpty, setIsEmpty] = useState(false);
  const running = useMutation({
    mutationFn: () => run(id.trim()),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: ["templates"] });
      onDone(made);
    },
  });
  const { error } = running;
  const wrong = error instanceof ApiError ? error.details.id?.join(". ") : undefined;
  const isTaken = error instanceof ApiError && wrong === "is taken";
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onCancel}
      onSubmit={() => (id.trim() === "" ? setIsEmpty(true) : running.mutate())}
      footer={
        <>
          <Button onPress={onCancel}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isPending={running.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <TextInput
        label={label}
        description={text}
        value={id}
        onChange={(next) => {
          setId(next);
          setIsEmpty(false);
        }}
        error={isEmpty ? words.idRequired : isTaken ? words.idTaken(id.trim()) : wrong}
        autoComplete="off"
        spellCheck={false}
        isMono
        autoFocus
      />
      {children}
      {error && wrong === undefined && <Problem error={error} />}
    </Dialog>
  );
}

interface NewProps {
  first?: string;
  onMade: (id: string) => void;
  onCancel: () => void;
}

export function NewTemplateDialog({ first = "", onMade, onCancel }: NewProps) {
  const words = useWords(templateWords);
  return (
    <IdDialog
      title={words.newTemplate}
      text={words.newText}
      label={words.id}
      action={words.create}
      first={first}
      run={(id) => createTemplate(id, "")}
      onDone={onMade}
      onCancel={onCancel}
    />
  );
}

interface Target {
  id: string;
  all: readonly TemplateFile[];
  onDone: (id: string) => void;
  onCancel: () => void;
}

export function RenameDialog({ id, all, onDone, onCancel }: Target) {
  const words = useWords(templateWords);
  return (
    <IdDialog
      title={words.renameTitle(id)}
      text={words.renameText}
      label={words.newId}
      action={words.renameButton}
      first={id}
      run={(next) => renameTemplate(id, next)}
      onDone={onDone}
      onCancel={onCancel}
    >
      <Includers id={id} all={all} warning={words.usedByRename} />
    </IdDialog>
  );
}

export function DeleteDialog({ id, all, onDone, onCancel }: Target) {
  const words = useWords(templateWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteTemplate(id),
    onSuccess: async () => {
      onDone(id);
      await queries.invalidateQueries({ queryKey: ["templates"] });
    },
  });
  return (
    <ConfirmDialog
      title={words.deleteTitle(id)}
      text={words.deleteText}
      confirmLabel={words.deleteLabel}
      tone="danger"
      isPending={deleting.isPending}
      error={deleting.error && errorText(deleting.error, common).text}
      onConfirm={() => deleting.mutate()}
      onCancel={onCancel}
    >
      <Includers id={id} all={all} warning={words.usedByWarning} />
    </ConfirmDialog>
  );
}

/** Nothing until it is known. */
function Includers({ id, all, warning }: Pick<Target, "id" | "all"> & { warning: string }) {
  const words = useWords(templateWords);
  const { data } = useQuery(includersQuery(id, all));
  if (!data) return null;
  if (data.length === 0) return <p className={css.help}>{words.usedByNone}</p>;
  return (
    <div>
      <p>{words.usedBy(data.length)}</p>
      <ul className={css.includers}>
        {data.map((other) => (
          <li key={other}>
            <code>{other}</code>
          </li>
        ))}
      </ul>
      <p>{warning}</p>
    </div>
  );
}
