// Opens what stands beside the form where there is no room for it.

import { Info } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import css from "./About.module.css";

export function AboutButton({ children }: { children: ReactNode }) {
  const words = useWords(formWords);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={css.open}>
      <Button icon={Info} variant="quiet" onPress={() => setIsOpen(true)}>
        {words.about}
      </Button>
      {isOpen && (
        <Sheet title={words.about} side="end" onClose={() => setIsOpen(false)}>
          {children}
        </Sheet>
      )}
    </div>
  );
}
