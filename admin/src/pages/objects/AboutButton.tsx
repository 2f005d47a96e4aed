// Opens what stands beside the form where there is no room for it.

import { Info } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Button } from "#ui/Button.tsx";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import css from "./About.module.css";

const Sheet = lazy(() => import("#ui/Sheet.tsx").then((part) => ({ default: part.Sheet })));

export function AboutButton({ children }: { children: ReactNode }) {
  const words = useWords(formWords);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={css.open}>
      <Button icon={Info} variant="quiet" onPress={() => setIsOpen(true)}>
        {words.about}
      </Button>
      {isOpen && (
        <Suspense>
          <Sheet title={words.about} side="end" onClose={() => setIsOpen(false)}>
            {children}
          </Sheet>
        </Suspense>
      )}
    </div>
  );
}
