// Asks before many objects are deleted, with their number; a number that has changed meanwhile is asked about again.

import { useState } from "react";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import type { grid } from "#words/en/grid.ts";
import { formatNumber } from "#words/format.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import { OtherNumber, type Target } from "./useBulk.ts";

/** Above so many the number has to be typed. */
const typedAbove = 10;

interface Props {
  target: Target;
  /** They can be restored. */
  hasTrash: boolean;
  onDelete: (target: Target) => Promise<unknown>;
  onClose: () => void;
}

export function DeleteDialog({ target, hasTrash, onDelete, onClose }: Props) {
  const words = useWords(gridWords);
  const [count, setCount] = useState(target.count);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<string>();
  const confirm = async () => {
    setIsPending(true);
    setError(undefined);
    try {
      await onDelete({ ...target, count });
      onClose();
    } catch (problem) {
      setIsPending(false);
      if (problem instanceof OtherNumber) {
        setError(words.numberChanged(problem.count, count));
        setCount(problem.count);
      } else setError(problem instanceof Error ? problem.message : String(problem));
    }
  };
  return (
    <ConfirmDialog
      // A new number has to be typed again.
      key={count}
      title={words.deleteTitle(count)}
      text={textOf(count, hasTrash, words)}
      confirmLabel={words.delete}
      tone="danger"
      {...(count > typedAbove && {
        typed: { label: words.typeToConfirm(count), value: String(count), also: formatNumber(count) },
      })}
      isPending={isPending}
      error={error}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    />
  );
}

function textOf(count: number, hasTrash: boolean, words: typeof grid): string {
  if (hasTrash) return count === 1 ? words.deleteOneToTrash : words.deleteToTrash;
  return count === 1 ? words.deleteOneText : words.deleteText;
}
