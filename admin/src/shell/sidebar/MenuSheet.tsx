// The sidebar over the page: it comes from the edge where the sidebar stands.

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components/Modal";
import { IconButton } from "#ui/IconButton.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import styles from "./Sidebar.module.css";

export function MenuSheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const words = { ...useWords(commonWords), ...useWords(shellWords) };
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()} className={styles.overlay ?? ""}>
      <Modal className={styles.modal ?? ""}>
        <Dialog aria-label={words.menu} className={styles.dialog ?? ""}>
          <IconButton icon={X} label={words.close} onPress={onClose} className={styles.close} />
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
