// The button that runs an automation, with its dialog.

import { useSearch } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { lazy, Suspense } from "react";
import { useFormScope, useSummary } from "#form/form-context.ts";
import { useSearchChange } from "#pages/mailer/open-dialog.ts";
import type { ShownObject } from "#pages/objects/object-pages.ts";
import { useCommand } from "#session/commands.ts";
import type { Search } from "#shell/paths.ts";
import { Button } from "#ui/Button.tsx";
import { automationsWords } from "#words/automations.ts";
import { useWords } from "#words/language.ts";

const RunDialog = lazy(() => import("./RunDialog.tsx").then((part) => ({ default: part.RunDialog })));

export function RunNow({ automation: { id, title } }: { automation: ShownObject }) {
  const words = useWords(automationsWords);
  const { store } = useFormScope();
  const { dirty } = useSummary(store);
  const { open } = useSearch({ strict: false }) as Search;
  const change = useSearchChange();
  const isOpen = open === "run";
  const setIsOpen = (next: boolean) => change({ open: next ? "run" : undefined });
  useCommand({ id: "run-now", label: words.runNow, run: () => setIsOpen(true) });
  return (
    <>
      <Button icon={Play} onPress={() => setIsOpen(true)}>
        {words.runNow}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <RunDialog id={id} name={title} isUnsaved={dirty.length > 0} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
