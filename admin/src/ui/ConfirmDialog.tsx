// Asks before something is done that cannot simply be undone. Focus begins on Cancel.

import { type ReactNode, useState } from "react";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Notice } from "./Notice.tsx";
import { TextInput } from "./TextInput.tsx";

interface Props {
  title: string;
  text?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: "danger";
  /** This has to be typed first; `also` is another way to write it. */
  typed?: { label: string; value: string; also?: string };
  isPending?: boolean;
  error?: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
  /** Between the text and the buttons: what will change. */
  children?: ReactNode;
}

export function ConfirmDialog(props: Props) {
  const { title, text, confirmLabel, cancelLabel, tone, typed, isPending, error, onConfirm, onCancel, children } =
    props;
  const words = useWords(uiWords);
  const [written, setWritten] = useState("");
  const isReady = !typed || [typed.value, typed.also].includes(written.trim());
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={title}
      onClose={onCancel}
      onSubmit={() => isReady && !isPending && onConfirm()}
      footer={
        <>
          <Button onPress={onCancel} autoFocus>
            {cancelLabel ?? words.cancel}
          </Button>
          <Button
            type="submit"
            variant={tone === "danger" ? "danger" : "primary"}
            isDisabled={!isReady}
            isPending={isPending}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {text && (typeof text === "string" ? <p>{text}</p> : text)}
      {children}
      {typed && (
        <TextInput label={typed.label} value={written} onChange={setWritten} autoComplete="off" spellCheck={false} />
      )}
      {error && (
        <div role="alert">
          <Notice tone="bad">{error}</Notice>
        </div>
      )}
    </Dialog>
  );
}
