// Something chosen that can be taken away again: a filter, a tag.

import { X } from "lucide-react";
import type { ReactNode } from "react";
import css from "./Chip.module.css";
import { IconButton } from "./IconButton.tsx";

interface Props {
  label: ReactNode;
  onRemove?: () => void;
  /** Name of the button that removes it. */
  removeLabel?: string;
}

export function Chip({ label, onRemove, removeLabel }: Props) {
  return (
    <span className={css.chip}>
      <span className={css.label}>{label}</span>
      {onRemove && (
        <IconButton label={removeLabel ?? String(label)} icon={X} isSmall onPress={onRemove} className={css.remove} />
      )}
    </span>
  );
}
