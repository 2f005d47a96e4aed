// A question or a form over the page. Focus stays inside and returns to where it was; Esc is the same as Cancel. With changes in it
// (`isDirty`) Esc and a click outside ask first.

import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { Dialog as AriaDialog, Modal, ModalOverlay } from "react-aria-components/Modal";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { Button } from "./Button.tsx";
import { classes } from "./classes.ts";
import css from "./Dialog.module.css";

export interface DialogProps {
  title: string;
  onClose: () => void;
  role?: "dialog" | "alertdialog";
  children: ReactNode;
  /** Buttons, the main one last. A function gets `close`, which asks when there are changes. */
  footer?: ReactNode | ((close: () => void) => ReactNode);
  size?: "small" | "medium" | "large" | "full";
  isDirty?: boolean;
  /** Closes by its buttons alone: for what is shown once. */
  isHeld?: boolean;
  /** The dialog is a form: Enter in a field, or a button of type submit, calls this. */
  onSubmit?: () => void;
  /** At the end of the title's line. */
  extra?: ReactNode;
  className?: string;
}

export function Dialog(props: DialogProps) {
  const {
    title,
    onClose,
    role = "dialog",
    children,
    footer,
    size = "medium",
    isDirty,
    isHeld,
    onSubmit,
    extra,
  } = props;
  const [isAsking, setIsAsking] = useState(false);
  const titleId = useId();
  const textId = useId();
  const modal = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Over another dialog the browser's own autofocus comes too early: that one still holds the focus.
    modal.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
  }, []);
  const close = () => (isDirty ? setIsAsking(true) : onClose());
  const body = useRef<HTMLDivElement>(null);
  const isStop = useScrollStop(body);
  const inside = (
    <>
      <div
        ref={body}
        className={css.body}
        id={textId}
        {...(isStop && { role: "group", "aria-labelledby": titleId, tabIndex: 0 })}
      >
        {children}
      </div>
      {footer && <div className={css.footer}>{typeof footer === "function" ? footer(close) : footer}</div>}
    </>
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A form around the dialog in the tree of components is none of its business.
    event.stopPropagation();
    onSubmit?.();
  };
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      isDismissable={role === "dialog" && !isHeld}
      isKeyboardDismissDisabled={isHeld}
      className={css.overlay}
    >
      <Modal ref={modal} className={classes(css.modal, css[size], props.className)}>
        <AriaDialog
          role={role}
          aria-labelledby={titleId}
          aria-describedby={role === "alertdialog" ? textId : undefined}
          className={css.dialog}
        >
          <div className={css.head}>
            <h2 id={titleId} className={css.title}>
              {title}
            </h2>
            {extra}
          </div>
          {onSubmit ? (
            <form className={css.form} onSubmit={submit} noValidate>
              {inside}
            </form>
          ) : (
            inside
          )}
          {isAsking && <Discard onDiscard={onClose} onKeep={() => setIsAsking(false)} />}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

const stops = "a[href], button, input, select, textarea, summary, iframe, [tabindex='0'], [contenteditable=true]";

/** Whether a part that scrolls must be a stop of the Tab key: without one inside, nobody could scroll it by keys. */
function useScrollStop(part: RefObject<HTMLElement | null>): boolean {
  const [isStop, setIsStop] = useState(false);
  useEffect(() => {
    const element = part.current;
    if (!element) return undefined;
    const look = () => setIsStop(element.scrollHeight > element.clientHeight + 1 && !element.querySelector(stops));
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    const changes = new MutationObserver(look);
    changes.observe(element, { childList: true, subtree: true });
    return () => {
      sizes.disconnect();
      changes.disconnect();
    };
  }, [part]);
  return isStop;
}

function Discard({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  const words = useWords(uiWords);
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={words.discardTitle}
      onClose={onKeep}
      footer={
        <>
          <Button onPress={onKeep} autoFocus>
            {words.keepEditing}
          </Button>
          <Button variant="danger" onPress={onDiscard}>
            {words.discard}
          </Button>
        </>
      }
    >
      <p>{words.discardText}</p>
    </Dialog>
  );
}
