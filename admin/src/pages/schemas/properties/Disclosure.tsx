// A part of the panel that opens by its heading. What is in it is made when it is first opened.

import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Icon } from "#ui/Icon.tsx";
import css from "./properties.module.css";

interface Props {
  label: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ReactNode;
}

export function Disclosure({ label, isOpen, onToggle, children }: Props) {
  const id = useId();
  return (
    <div className={css.part}>
      <h3 className={css.partTitle}>
        <button
          type="button"
          className={css.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => onToggle(!isOpen)}
        >
          <Icon of={isOpen ? ChevronDown : ChevronRight} />
          {label}
        </button>
      </h3>
      {isOpen && (
        <div id={id} className={css.inside}>
          {children}
        </div>
      )}
    </div>
  );
}
