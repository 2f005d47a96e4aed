import { Check } from "lucide-react";
import { Icon } from "#ui/Icon.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

export function BooleanCell({ value }: CellProps) {
  const words = useWords(gridWords);
  if (value === undefined || value === null) return null;
  if (value !== true) return <VisuallyHidden>{words.no}</VisuallyHidden>;
  return (
    <span className={css.line}>
      <Icon of={Check} />
      <VisuallyHidden>{words.yes}</VisuallyHidden>
    </span>
  );
}
