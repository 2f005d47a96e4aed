// Slides in from an edge over the page: the sidebar on small screens, details of what is open. Focus stays inside; Esc closes it.

import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Dialog as AriaDialog, Modal, ModalOverlay } from "react-aria-components/Modal";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { classes } from "./classes.ts";
import { IconButton } from "./IconButton.tsx";
import css from "./Sheet.module.css";

export interface SheetProps {
  title: string;
  side?: "start" | "end" | "bottom";
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** The title is for screen readers only; what is inside has its own head and its own way to close. */
  isTitleHidden?: boolean;
  className?: string;
}

export function Sheet({ title, side = "end", onClose, children, footer, isTitleHidden, className }: SheetProps) {
  const words = useWords(uiWords);
  const id = useId();
  return (
    <ModalOverlay isOpen onOpenChange={(isOpen) => !isOpen && onClose()} isDismissable className={css.overlay}>
      <Modal className={classes(css.modal, css[side], className)}>
        <AriaDialog
          className={css.dialog}
          aria-labelledby={isTitleHidden ? undefined : id}
          aria-label={isTitleHidden ? title : undefined}
        >
          {!isTitleHidden && (
            <div className={css.head}>
              <h2 id={id} className={css.title}>
                {title}
              </h2>
              <IconButton label={words.close} icon={X} onPress={onClose} />
            </div>
          )}
          <div className={isTitleHidden ? css.bare : css.body}>{children}</div>
          {footer && <div className={css.footer}>{footer}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
