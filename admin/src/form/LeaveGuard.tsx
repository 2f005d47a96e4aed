// Asks before a page with unsaved changes is left: by a link, by Back, by closing the tab.

import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";

interface Props {
  /** How many changes are not saved, at the moment of leaving. */
  unsaved: () => number;
  /** Answers whether all was saved. */
  onSave: () => Promise<boolean>;
  /** What happens to the changes. */
  text: (count: number) => string;
  /** The page is left without saving. */
  onLeave?: () => void;
}

export function LeaveGuard({ unsaved, text, onSave, onLeave }: Props) {
  const words = useWords(formWords);
  const [isSaving, setIsSaving] = useState(false);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved() > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved() > 0,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  const saveAndLeave = async () => {
    setIsSaving(true);
    const isSaved = await onSave();
    setIsSaving(false);
    if (isSaved) blocker.proceed();
    else blocker.reset();
  };
  return (
    <Dialog
      title={words.leaveTitle}
      size="small"
      onClose={blocker.reset}
      footer={
        <>
          <Button onPress={blocker.reset} autoFocus>
            {words.stay}
          </Button>
          <Button
            onPress={() => {
              onLeave?.();
              blocker.proceed();
            }}
          >
            {words.leave}
          </Button>
          <Button variant="primary" isPending={isSaving} onPress={() => void saveAndLeave()}>
            {words.saveAndLeave}
          </Button>
        </>
      }
    >
      <p>{text(unsaved())}</p>
    </Dialog>
  );
}
