// The button that opens the plan of an undo; absent where no collection keeps the values that it needs.

import type { UndoMark } from "@contract/history.ts";
import { History } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";

const UndoDialog = lazy(() => import("./UndoDialog.tsx").then((part) => ({ default: part.UndoDialog })));

interface Props {
  by: { [mark in UndoMark]?: string };
  name: string;
  /** "Undo what it wrote…" unless set. */
  label?: string;
}

export function useCanUndo(): boolean {
  return useStart().collections.some(({ history }) => history === "full");
}

export function UndoButton({ by, name, label }: Props) {
  const words = useWords(commonWords);
  const [isOpen, setIsOpen] = useState(false);
  if (!useCanUndo()) return null;
  return (
    <>
      <Button icon={History} onPress={() => setIsOpen(true)}>
        {label ?? words.undoWritten}
      </Button>
      {isOpen && (
        <Suspense>
          <UndoDialog by={by} name={name} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
